/* What C makes of control flow: each function takes two ints and returns one, and ends. */

static int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int gcd(int a, int b) {
  a = a < 0 ? -a : a;
  b = b < 0 ? -b : b;
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Binary search with two ways out of the loop. */
int search(int key, int unused) {
  static const int sorted[] = {-7, -2, 0, 1, 3, 4, 9, 12};
  int low = 0, high = 7;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] == key)
      return middle;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -low - 1 + 0 * unused;
}

/* A switch in a loop, with cases that fall through, share a target, and continue the loop. */
int machine(int state, int input) {
  int steps = 0, output = 0;
  for (;;) {
    if (++steps > 20)
      break;
    switch (state & 7) {
    case 0:
      state = input;
      continue;
    case 1:
    case 2:
      output += 2;
    case 3:
      state = state * 3 + 1;
      break;
    case 5:
      return output - steps;
    default:
      state--;
    }
    output ^= state;
  }
  return output;
}

/* An error path as the kernel writes it. */
int cleanup(int a, int b) {
  int result = -1, held = 0;
  if (a < 0)
    goto out;
  held = 1;
  if (b < 0)
    goto release;
  held = 2;
  if (a == b) {
    result = 7;
    goto release;
  }
  result = a + b;
release:
  result += held * 100;
out:
  return result;
}

/* A loop that is entered in its middle: irreducible. */
int middle(int a, int b) {
  int left = 9;
  if (a > b)
    goto inside;
again:
  a += 2;
inside:
  b += a;
  if (--left > 0) {
    if (b % 3 == 0)
      goto inside;
    goto again;
  }
  return a - b;
}

int short_circuit(int a, int b) {
  int calls = 0;
  int both = (calls++, a > 0) && (calls++, b > 0) && (calls++, a != b);
  int one = a == 1 || (calls += 10, b == 1) || !both;
  return calls * 4 + both * 2 + one;
}

/* count_ones stays in memory: its address is taken. */
static void add(int *to, int what) { *to += what; }

int bits(int value, int limit) {
  unsigned rest = (unsigned)value;
  int count_ones = 0, round = 0;
  do {
    add(&count_ones, rest & 1);
    rest >>= 1;
  } while (rest && ++round < limit);
  return count_ones * 64 + round;
}

int nested(int rows, int columns) {
  int sum = 0, longest = 0;
  for (int row = 0; row < (rows & 7); row++) {
    int run = 0;
    for (int column = 0; column < (columns & 7); column++) {
      if (table[column] == row)
        continue;
      if (table[column] > row + 4) {
        run = 0;
        break;
      }
      run++;
      sum += row * column;
    }
    if (run > longest)
      longest = run;
  }
  return sum * 10 + longest;
}

/* Only one path gives `late` a value, and only that path reads it. */
int late_value(int a, int b) {
  int late;
  int known = a > b;
  if (known)
    late = 12;
  for (int i = 0; i < 3; i++)
    b += i;
  if (known)
    return late + b;
  return b;
}

/* Labels as values: each jump may go to any of them. */
int threaded(int a, int b) {
  static void *targets[] = {&&plus, &&minus, &&done};
  int at = a & 1, fuel = 6;
  goto *targets[at];
plus:
  b += 3;
  at = fuel-- > 0 ? b & 1 : 2;
  goto *targets[at];
minus:
  b -= a;
  at = fuel-- > 0 ? (b + fuel) & 1 : 2;
  goto *targets[at];
done:
  return b * 2 + fuel;
}

double half(double x) { return x / 2; }

int floating(int a, int b) {
  double best = a;
  float step = 1;
  long long rounds = 0;
  while (best > 1 && rounds < 100) {
    best = best > b ? half(best) : best - step;
    step *= 1.5f;
    rounds++;
  }
  return (int)(best * 8) + (int)rounds;
}

struct pair {
  int first, second;
};

/* Structs stay in memory, pointers to them are variables. */
int pairs(int a, int b) {
  struct pair some[4] = {{a, b}, {b, 1}, {2, a}, {0, 0}};
  struct pair *at = some, *best = 0;
  while (at->first || at->second) {
    if (!best || at->first > best->first)
      best = at;
    if (++at == some + 4)
      break;
  }
  return best ? best->first * 8 + best->second : -1;
}

/* What follows the return is never reached and reads what nothing wrote. */
int unreachable(int a, int b) {
  int dead;
  return a ^ b;
  while (a--)
    dead += b;
  return dead;
}
