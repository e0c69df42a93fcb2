; As clang leaves it: i is a stack slot.
define i32 @count_to(i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %test
test:
  %before = load i32, ptr %i
  %more = icmp slt i32 %before, %n
  br i1 %more, label %body, label %done
body:
  %old = load i32, ptr %i
  %new = add i32 %old, 1
  store i32 %new, ptr %i
  br label %test
done:
  %result = load i32, ptr %i
  ret i32 %result
}
