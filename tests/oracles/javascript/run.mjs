// Calls the exported functions of modules in two forms with the same generated arguments and prints what differs.
// Arguments: folder of the sources, folder of the printed programs. Standard input: a JSON list of files.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { Script } from 'node:vm';

const CALLS = 40;
const NOW = Date.UTC(2024, 1, 29, 12);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) { super(...(args.length ? args : [NOW])); }
  static now() { return NOW; }
};
Object.defineProperty(Date, 'name', { value: 'Date' });

const cases = /cases$/.test(process.argv[2]); // their programs read other names when they fail
if (cases) Error.stackTraceLimit = 0;
let trace = [], noise = 0;
Math.random = () => (noise = (noise + 0.37) % 1);
const show = (value) => {
  try { return inspect(value, { depth: 4, compact: true, breakLength: Infinity, maxArrayLength: 40 })
    .replace(cases ? /\[?TypeError: [^\]"']*(\]|$)/g : '', cases ? 'TypeError' : '').replace(/\[(Async)?(Generator)?(Function|class)[^\]]*\]/g, 'fn'); } catch (error) { return 'uninspectable'; }
};
// Messages of the engine quote source text.
const message = (text) => String(text).replace(/^.*?(is not (a function|iterable|a constructor|a symbol))/, '$1')
  .replace(/^Cannot (destructure|read propert).*/, 'cannot read').replace(/\$?[\w$]+\.apply/g, 'apply');
const fault = (error) => error instanceof TypeError && cases ? 'throws TypeError' : error instanceof Error ? `throws ${error.name}: ${message(error.message)}` : `throws ${show(error)}`;

function random(seed) {
  let state = seed * 2654435761 >>> 0 || 1;
  return (n) => { state ^= state << 13; state >>>= 0; state ^= state >>> 17; state ^= state << 5; state >>>= 0; return state % n; };
}

const dated = /date/.test(process.argv[2]);
const text = ['', 'a', 'abc', 'fooBar baz', 'a.b', '2024-02-29', '2020-01-05T10:20:30Z', 'yyyy-MM-dd', 'PPpp', '12', '&<x>', 'a,b', '%d'];
function value(pick, depth = 0) {
  switch (pick(depth > 2 ? 6 : 13)) {
    case 0: return pick(13) - 3;
    case 1: return text[pick(text.length)];
    case 2: return [undefined, null, true, false, NaN, 1.5, -0][pick(7)];
    // A date as a length is too long: only what works on dates gets one.
    case 3: return !dated ? pick(9) : new Date(NOW + (pick(20) - 10) * 43200000);
    case 4: return pick(5);
    case 5: return text[pick(text.length)];
    case 6: case 7: return Array.from({ length: pick(5) }, () => value(pick, depth + 1));
    case 8: case 9: return Object.fromEntries(Array.from({ length: pick(4) }, () => ['abcn'[pick(4)], value(pick, depth + 1)]));
    case 10: {
      const result = value(pick, depth + 1);
      return Object.defineProperty({ n: 1 }, 'a', { enumerable: true, get() { trace.push('get a'); return result; } });
    }
    case 11: return { start: new Date(NOW - pick(9) * 86400000), end: new Date(NOW + pick(9) * 86400000), weekStartsOn: pick(7) };
    default: {
      const kind = pick(4), result = value(pick, depth + 1);
      return (...args) => {
        trace.push(`call ${args.slice(0, 3).map(show)}`);
        if (trace.length > 200) throw 'enough';
        if (kind === 3 && args.length) throw new RangeError(`refused ${show(args[0])}`);
        return kind === 0 ? args[0] : kind === 1 ? Number(args[0] > args[1]) : result;
      };
    }
  }
}

function observe(called, seed) {
  const pick = random(seed);
  const args = Array.from({ length: pick(4) }, () => value(pick));
  trace = [];
  let shown;
  noise = 0;
  try {
    let result = called(...args);
    shown = result instanceof Error ? `gives ${fault(result)}` : show(result);
    if (typeof result === 'function') try { shown += ` gives ${show(result(...args))}`; } catch (error) { shown += fault(error); }
    else if (result && result.constructor?.name === 'Timeout') { clearTimeout(result); shown = 'a timer'; }
    else if (result && typeof result.next === 'function') shown += [...result].slice(0, 9).map(show);
  } catch (error) { shown = fault(error); }
  return JSON.stringify([shown, show(args), trace]);
}

// Cases, which are .cjs files, may loop for ever and read names that nothing defines.
const require = createRequire(import.meta.url);
const load = (path) => path.endsWith('.cjs') ? require(path) : import(pathToFileURL(path));
const go = new Script('go()');
const bounded = (called) => (...args) => {
  globalThis.go = () => called(...args);
  return go.runInThisContext({ timeout: 200 });
};
function define(outcome) {
  const name = /^\["throws ReferenceError: ([\w$]+) is not defined"/.exec(outcome)?.[1];
  if (name === undefined) return false;
  globalThis[name] = (...args) => {
    trace.push(`${name} ${args.slice(0, 3).map(show)}`);
    if (trace.length > 50) throw 'enough';
    return trace.length % 3 ? args[0] : trace.length;
  };
  return true;
}

const [sources, programs] = process.argv.slice(2);
const counts = { functions: 0, calls: 0, threw: 0, traced: 0 };
const differences = [];
for (const file of JSON.parse(readFileSync(0, 'utf8'))) {
  const [source, program] = await Promise.all([sources, programs].map((root) => load(join(root, file))));
  if (Object.keys(source).join() !== Object.keys(program).join()) differences.push([file, 'exports', Object.keys(source).join(), Object.keys(program).join()]);
  for (const name of Object.keys(source)) {
    if (name === 'default' && Object.keys(source).length > 1) continue; // the same function again
    if (typeof source[name] !== 'function' || /^class /.test(source[name])) continue;
    counts.functions++;
    for (let seed = 1; seed <= CALLS; seed++) {
      let [called, again] = [source[name], program[name]];
      if (file.endsWith('.cjs')) [called, again] = [bounded(called), bounded(again)];
      let expected = observe(called, seed);
      while (define(expected)) expected = observe(called, seed);
      if (/^\["throws (Error: Script execution timed out|ReferenceError: Cannot access)/.test(expected)) {
        counts.passed = (counts.passed ?? 0) + 1;
        if (expected.includes('timed out')) break;
        continue;
      }
      const found = observe(again, seed);
      counts.calls++;
      counts.threw += expected.startsWith('["throws');
      counts.traced += !expected.endsWith(',[]]');
      if (expected !== found) { differences.push([file, name, expected, found]); break; }
    }
  }
}
console.log(JSON.stringify({ counts, differences }));
process.exit(0);
