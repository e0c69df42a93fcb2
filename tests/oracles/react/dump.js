// Dumps what React Compiler makes of every root function of many files, one JSON line a function.
//
//   node dump.js ROOT [PASS...] < paths, one a line, relative to ROOT       (run where package.json was installed)
//
// Standard output: {file, name, line, col, passes: {PASS: text}, error}. line from 1, col from 0 in code points (Babel
// counts UTF-16 units). error is null if every pass asked for was reached; a file Babel cannot parse is one line with line 0.
// Last line of standard error: {files, functions, parse, compile}, the latter two in seconds. Without PASS nothing is
// printed on standard output, so that the seconds are those of the compiler alone.
const fs = require('fs');
const path = require('path');
const load = require('module').createRequire(path.join(process.cwd(), 'package.json'));
const babel = load('@babel/core');
const compiler = load('babel-plugin-react-compiler');

const [root, ...passes] = process.argv.slice(2);
const last = 'EliminateRedundantPhi';
const stop = {toString: () => 'stopped after ' + last}; // thrown out of the logger: the 50 passes after it cost most

let functions = []; // of the current file, in the order React compiles them
let current = null;
const logger = {
  debugLogIRs(ir) {
    if (current === null) current = {passes: {}, error: null, done: false};
    if (ir.kind !== 'hir') return;
    if (passes.includes(ir.name) && !(ir.name in current.passes)) {
      current.passes[ir.name] = compiler.printFunctionWithOutlined(ir.value);
    }
    if (ir.name === last) {
      current.done = true;
      throw stop;
    }
  },
  // Closes the current function. React logs several errors for one function, one event each: the first is kept.
  logEvent(_, event) {
    if (!event.fnLoc || !['CompileError', 'PipelineError', 'CompileSuccess'].includes(event.kind)) return;
    const {line, column, index} = event.fnLoc.start;
    if (current === null) {
      const previous = functions.at(-1);
      if (previous && previous.index === index) return;
      current = {passes: {}, error: null, done: false}; // refused before the compiler started on it
    }
    if (!current.done) {
      const detail = event.detail && (event.detail.options || event.detail);
      current.error = detail ? [detail.category, detail.reason, detail.description].filter(Boolean).join(': ') : String(event.data);
    }
    functions.push({...current, line, column, index});
    current = null;
  },
};

const seconds = {parse: 0, compile: 0};
function timed(what, work) {
  const start = process.hrtime.bigint();
  try {
    return work();
  } finally {
    seconds[what] += Number(process.hrtime.bigint() - start) / 1e9;
  }
}

function compileFile(file) {
  const code = fs.readFileSync(path.join(root, file), 'utf8');
  const options = {
    // React leaves files alone whose name has node_modules in it, and Babel reads types only in .ts and .tsx.
    filename: '/src/' + path.basename(file).replace(/\.[cm]?[jt]sx?$/, '.tsx'),
    babelrc: false, configFile: false, code: false, ast: false, cloneInputAst: false,
    parserOpts: {plugins: ['jsx', 'typescript']},
    plugins: [[compiler.default || compiler, {compilationMode: 'all', panicThreshold: 'none', logger}]],
  };
  const tree = timed('parse', () => babel.parseSync(code, options));
  const names = new Map();
  babel.types.traverseFast(tree, node => {
    if (babel.types.isFunction(node) && node.id) names.set(node.start, node.id.name);
  });
  timed('compile', () => babel.transformFromAstSync(tree, code, options));
  return functions.map(({passes, error, line, column, index}) => ({
    file, name: names.get(index) ?? null, line, col: [...code.slice(index - column, index)].length, passes, error,
  }));
}

const files = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
let count = 0;
for (const file of files) {
  functions = [];
  current = null;
  let lines;
  try {
    lines = compileFile(file);
  } catch (error) {
    lines = [{file, name: null, line: 0, col: 0, passes: {}, error: 'file: ' + error.message}];
  }
  count += lines.length;
  if (passes.length) fs.writeSync(1, lines.map(line => JSON.stringify(line) + '\n').join(''));
}
console.error(JSON.stringify({files: files.length, functions: count, ...seconds}));
