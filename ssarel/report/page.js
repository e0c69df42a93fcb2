"use strict";
// One page, no framework. A selection is {kind, id}: b block, v variable, x value, l line; it lights up in every pane.
// Mentions of a block (b) light up when it is selected; the block itself (B) also when something in it is.
(() => {
  const WHOLE = 500; // functions with more blocks are shown around one block
  const NEAR = 60; // that many blocks
  const CHAR = 6.63, LINE = 15, PAD = 8; // of the graph's 11px monospace text
  const WRITTEN = 1;

  const $ = (selector) => document.querySelector(selector);
  const index = JSON.parse($("#index").textContent); // [name, path, line, blocks, phis]
  const panes = { source: $("#source"), graph: $("#graph"), text: $("#text"), tables: $("#tables"), list: $("#list") };
  let F = null; // the function shown, see enrich()
  let registry = null; // elements by kind and id
  let lit = [], selection = null, tab = "phis", view = "cfg", scale = 1;
  let drawn = 0; // counts layouts asked for, to drop those that come late

  function element(namespace, tag, attributes, children) {
    const made = namespace ? document.createElementNS(namespace, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) if (value != null) made.setAttribute(name, value);
    made.append(...children.flat().filter((child) => child != null));
    return made;
  }
  const html = (tag, attributes, ...children) => element("", tag, attributes, children);
  const svg = (tag, attributes, ...children) => element("http://www.w3.org/2000/svg", tag, attributes, children);

  // ---- data

  async function unpack(at) {
    const packed = Uint8Array.from(atob($(`#f${at}`).textContent), (char) => char.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return enrich(await new Response(stream).json());
  }

  function enrich(f) {
    const push = (map, key, item) => (map.get(key) || map.set(key, []).get(key)).push(item);
    f.instrsOf = f.blocks.map(() => []);
    f.pred = f.blocks.map(() => []);
    f.children = f.blocks.map(() => []);
    f.onLine = new Map();
    f.reads = new Map(); // instructions that read a value
    f.mentions = new Map(); // instructions that mention a variable
    f.lineVars = new Map(); // variables by name on a line
    f.phiOf = new Map();
    f.phiReads = new Map();
    f.valuesOf = new Map();
    f.back = new Set(f.back.map(String));
    f.blocks.forEach((block, at) => {
      for (const target of block.succ) f.pred[target].push(at);
      if (block.idom >= 0) f.children[block.idom].push(at);
      for (const [value, args, why] of block.phis) {
        f.phiOf.set(value, { block: at, args, why });
        for (const [, arg] of args) push(f.phiReads, arg, value);
      }
    });
    f.values.forEach(([variable], value) => push(f.valuesOf, variable, value));
    f.instrs.forEach(([block, line, , parts], at) => {
      f.instrsOf[block].push(at);
      if (line) push(f.onLine, line, at);
      for (const part of parts) {
        if (typeof part === "string" || !part[0]) continue;
        push(f.mentions, part[1], at);
        if (part[0] !== WRITTEN && part[2] >= 0) push(f.reads, part[2], at);
        const [name, kind] = f.vars[part[1]];
        if (line && kind !== "temp") {
          if (!f.lineVars.has(line)) f.lineVars.set(line, new Map());
          f.lineVars.get(line).set(name, part[1]);
        }
      }
    });
    f.lineOf = f.instrsOf.map((instrs) => (instrs.map((at) => f.instrs[at][1]).find((line) => line) || 0));
    return f;
  }

  const isTemp = (variable) => F.vars[variable][0].startsWith("$");
  function valueName(value, variable) {
    if (value < 0) return variable != null && isTemp(variable) ? F.vars[variable][0] : "undef";
    const [owner, version] = F.values[value];
    return isTemp(owner) && F.valuesOf.get(owner).length === 1 ? F.vars[owner][0] : `${F.vars[owner][0]}.${version}`;
  }
  const blockName = (block) => F.blocks[block].name;
  const unique = (items) => [...new Set(items)];
  const counted = (count, what) => `${count.toLocaleString()} ${what}${count === 1 ? "" : "s"}`;
  const range = (count) => Array.from({ length: count }, (_, at) => at);

  // ---- pieces that can be selected

  const emptyRegistry = () => Object.fromEntries(["b", "B", "v", "x", "l", "i", "e", "vl"].map((kind) => [kind, new Map()]));
  function forget(pane) {
    for (const all of Object.values(registry)) for (const [id, made] of all) all.set(id, made.filter((one) => !pane.contains(one)));
  }

  function register(made, ...keys) {
    for (const [kind, id] of keys) {
      const found = registry[kind].get(id);
      if (found) found.push(made);
      else registry[kind].set(id, [made]);
    }
    return made;
  }
  function item(make, tag, kind, id, css, attributes, ...children) {
    const made = make(tag, { class: `it ${css}`, tabindex: -1, "data-kind": kind, "data-id": id, ...attributes }, ...children);
    return register(made, [kind, id]);
  }
  const ownBlock = (made, block) => register(made, ["B", block]);
  const blockItem = (block) => item(html, "span", "b", block, "tok", {}, blockName(block));
  function valueItem(value, variable) {
    if (value < 0) return html("span", { class: "undef" }, "undef");
    const owner = variable ?? F.values[value][0];
    const phi = F.phiOf.has(value) ? { "data-phi": value } : {};
    return register(item(html, "span", "x", value, "tok", { ...phi, "data-v": owner }, valueName(value)), ["v", owner]);
  }
  const variableItem = (variable) => item(html, "span", "v", variable, "tok", {}, F.vars[variable][0]);
  const spaced = (items, separator = " ") => items.flatMap((one, at) => (at ? [separator, one] : [one]));

  // ---- panes

  function showSource() {
    const [first, lines] = F.lines;
    const indent = lines.filter((text) => text.trim()).map((text) => /^\s*/.exec(text)[0]);
    const shared = indent.reduce((all, one) => { while (!one.startsWith(all)) all = all.slice(0, -1); return all; }, indent[0] || "").length;
    panes.source.replaceChildren(
      ...(lines.length ? lines.map((text, at) => sourceLine(first + at, text.slice(shared))) : [html("p", { class: "none" }, "The source is not in the database.")]),
    );
  }
  function sourceLine(number, text) {
    const here = F.lineVars.get(number) || new Map();
    const pieces = text.split(/([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)/u).map((piece, at) => {
      const variable = at % 2 ? here.get(piece) : undefined;
      if (variable === undefined) return piece;
      return register(item(html, "span", "v", variable, "tok", {}, piece), ["vl", `${variable}:${number}`]);
    });
    const body = [html("span", { class: "no" }, String(number)), html("span", { class: "src" }, ...pieces)];
    if (!F.onLine.has(number)) return html("div", { class: "row line" }, ...body);
    return item(html, "div", "l", number, "row line has", {}, ...body);
  }

  function token([kind, id, value]) {
    if (!kind) return blockItem(id);
    const name = F.vars[id][0];
    if (isTemp(id) && value < 0) return name;
    const temp = isTemp(id) ? "tok temp" : "tok";
    const after = value < 0 ? (kind === WRITTEN ? name : "undef") : valueName(value);
    const both = [html("span", { class: "bf" }, name), html("span", { class: "af" }, after)];
    if (value < 0) return item(html, "span", "v", id, "tok", {}, ...both);
    const phi = F.phiOf.has(value) ? { "data-phi": value } : {};
    return register(item(html, "span", "x", value, temp, { ...phi, "data-v": id }, ...both), ["v", id]);
  }
  function showText() {
    const sections = F.visible.map((at) => {
      const block = F.blocks[at];
      const line = F.lineOf[at] ? `line ${F.lineOf[at]}` : "";
      const from = F.pred[at].length ? [" from ", ...spaced(F.pred[at].map(blockItem))] : [];
      const head = ownBlock(item(html, "div", "b", at, "row head", {}, block.name, html("small", {}, ` ${line}`, ...from, block.reach ? "" : " unreachable")), at);
      const phis = block.phis.map(([value, args]) => {
        const operands = args.map(([pred, arg]) => html("span", {}, blockItem(pred), ": ", valueItem(arg)));
        return html("div", { class: "row phi af", "data-phi": value }, valueItem(value), " = phi(", ...spaced(operands, ", "), ")");
      });
      const rows = F.instrsOf[at].map((instr) => {
        const [, number, , parts] = F.instrs[instr];
        const row = html("div", { class: "row ins" }, parts.map((part) => (typeof part === "string" ? part : token(part))));
        return register(row, ["i", instr], ["l", number]);
      });
      return html("section", { class: "blk" }, head, ...phis, ...rows);
    });
    const hidden = F.blocks.length - F.visible.length;
    if (hidden) sections.push(html("p", { class: "none" }, `${hidden.toLocaleString()} more blocks are not shown.`));
    panes.text.replaceChildren(...sections);
  }

  const TABLES = {
    phis: ["Phis", ["block", "phi", "operands", "why"], () =>
      F.visible.flatMap((at) => F.blocks[at].phis.map(([value, args, why]) => [
        [blockItem(at)], [valueItem(value)],
        spaced(args.map(([pred, arg]) => html("span", {}, blockItem(pred), ": ", valueItem(arg))), ", "),
        [why.split("\n").slice(1).map((line) => line.trim()).filter((line) => !line.startsWith("from ")).map((line) => html("div", {}, line))],
      ]))],
    frontier: ["Frontier", ["block", "parent in the dominator tree", "dominance frontier", "children"], () =>
      F.visible.map((at) => [
        [blockItem(at)], F.blocks[at].idom < 0 ? [F.blocks[at].reach ? "entry" : "unreachable"] : [blockItem(F.blocks[at].idom)],
        spaced(F.blocks[at].df.map(blockItem)), spaced(F.children[at].map(blockItem)),
      ])],
    live: ["Liveness", ["block", "live in", "live out"], () =>
      F.visible.map((at) => [[blockItem(at)], spaced(F.blocks[at].in.map(variableItem)), spaced(F.blocks[at].out.map(variableItem))])],
    values: ["Values", ["value", "made in", "line", "read in"], () =>
      F.values.map(([variable, , block, instr], value) => [variable, block, instr, value])
        .filter(([variable, block]) => F.vars[variable][1] !== "temp" && F.isVisible.has(block))
        .map(([variable, block, instr, value]) => [
          [valueItem(value, variable)], [blockItem(block), instr < 0 ? " phi" : ""], [String(instr < 0 ? F.lineOf[block] || "" : F.instrs[instr][1] || "")],
          spaced(unique((F.reads.get(value) || []).map((at) => F.instrs[at][0])).map(blockItem)),
        ])],
  };
  function showTables() {
    const [, columns, rows] = TABLES[tab];
    const body = rows();
    for (const button of document.querySelectorAll("[data-tab]")) {
      button.setAttribute("aria-selected", button.dataset.tab === tab);
      if (button.dataset.tab === "phis") button.textContent = `Phis ${F.visible.reduce((sum, at) => sum + F.blocks[at].phis.length, 0)}`;
    }
    panes.tables.replaceChildren(
      body.length
        ? html("table", {}, html("thead", {}, html("tr", {}, columns.map((name) => html("th", { scope: "col" }, name)))),
            html("tbody", {}, body.map((cells) => html("tr", { class: "row" }, cells.map((cell) => html("td", {}, ...cell))))))
        : html("p", { class: "none" }, tab === "phis" ? "No variable needs a phi here." : "Nothing."),
    );
  }

  // ---- the graph

  let graphviz = null;
  function layout(dot) {
    if (!graphviz) {
      // Pages of files may not import blobs nor run them as modules, so the module's exports are cut off.
      const source = $("#graphviz").textContent, exported = /export\{[^}]*\b(\w+) as Graphviz\b[^}]*\};?/.exec(source);
      const main = `const ready = ${exported[1]}.load();
        onmessage = async ({ data: [id, dot] }) => {
          try { postMessage([id, (await ready).layout(dot, "plain", "dot")]); } catch (error) { postMessage([id, null, String(error)]); }
        };`;
      const worker = new Worker(URL.createObjectURL(new Blob([source.replace(exported[0], ""), "\n", main], { type: "text/javascript" })));
      const waiting = new Map();
      worker.onmessage = ({ data: [id, plain, error] }) => {
        const [resolve, reject] = waiting.get(id);
        waiting.delete(id);
        if (error) reject(new Error(error)); else resolve(plain);
      };
      worker.onerror = (event) => { for (const [, reject] of waiting.values()) reject(new Error(event.message || "the layout worker failed")); };
      let next = 0;
      graphviz = (text) => new Promise((resolve, reject) => { waiting.set(++next, [resolve, reject]); worker.postMessage([next, text]); });
    }
    return graphviz(dot);
  }

  function nodeLines(at) {
    const block = F.blocks[at], dense = F.visible.length > 120;
    const cut = (text, width) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);
    const lines = block.phis.slice(0, dense ? 3 : 6).map(([value, args]) => ({ value, text: cut(`${valueName(value)} = φ(${args.map(([, arg]) => valueName(arg)).join(", ")})`, 34) }));
    if (block.phis.length > lines.length) lines.push({ text: `… ${block.phis.length - lines.length} more phis` });
    if (view === "tree") return lines.slice(0, 0);
    // Of each source line, the part that is in this block: from its leftmost instruction on.
    const start = new Map(), instrs = F.instrsOf[at];
    for (const instr of instrs.length > 1 ? instrs.slice(0, -1) : instrs) {
      const [, line, column] = F.instrs[instr];
      if (line) start.set(line, Math.min(start.get(line) ?? Infinity, column));
    }
    const sources = [...start].sort(([a], [b]) => a - b).map(([line, column]) => [line, [...sourceText(line)].slice(column).join("").trim()]).filter(([, text]) => text);
    const room = dense ? 2 : 5;
    for (const [line, text] of sources.slice(0, room)) lines.push({ text: cut(`${line} ${text}`, dense ? 30 : 38) });
    if (sources.length > room) lines.push({ text: `… ${sources.length - room} more lines` });
    return lines;
  }
  const sourceText = (line) => F.lines[1][line - F.lines[0]] || "";
  function head(at) {
    const hidden = F.neighbours(at).filter((other) => !F.isVisible.has(other)).length;
    return `${blockName(at)}${view === "tree" && F.lineOf[at] ? ` · line ${F.lineOf[at]}` : ""}${hidden ? ` · ${hidden} hidden` : ""}`;
  }

  function role(source, target) {
    if (F.back.has(`${source},${target}`)) return "back";
    const parts = F.instrs[F.instrsOf[source].at(-1)]?.[3] || [];
    const at = parts.findIndex((part, place) => part[0] === 0 && part[1] === target && /(then|else|handler)[:=]$/.test(parts[place - 1] || ""));
    const label = at < 0 ? "" : /(then|else|handler)[:=]$/.exec(parts[at - 1])[1];
    return label || (F.blocks[source].reach ? "plain" : "lost");
  }

  async function showGraph() {
    const mine = ++drawn, shown = F;
    const shape = new Map();
    let nodes = F.visible, edges = [];
    if (view === "cfg") {
      for (const at of nodes) for (const target of F.blocks[at].succ) if (F.isVisible.has(target)) edges.push([at, target, role(at, target)]);
    } else {
      nodes = F.inTree;
      const inside = new Set(nodes);
      for (const at of nodes) if (inside.has(F.blocks[at].idom)) edges.push([F.blocks[at].idom, at, "plain"]);
    }
    const dot = ["digraph{node[shape=box,fixedsize=true,label=\"\"];edge[dir=none];nodesep=0.3;ranksep=0.35;"];
    for (const at of nodes) {
      const lines = nodeLines(at), title = head(at);
      const width = Math.max(title.length + 1, ...lines.map((line) => line.text.length)) * CHAR + 2 * PAD;
      const height = (lines.length + 1) * LINE + PAD;
      shape.set(at, { lines, title, width, height });
      dot.push(`n${at}[width=${(width / 72).toFixed(3)},height=${(height / 72).toFixed(3)}]`);
    }
    for (const [source, target, kind] of edges) dot.push(`n${source}->n${target}${kind === "back" ? "[weight=0]" : ""}`);
    try {
      const plain = await layout(`${dot.join("\n")}}`);
      if (mine === drawn && shown === F) draw(plain, shape, new Map(edges.map(([source, target, kind]) => [`${source},${target}`, kind])));
    } catch (error) {
      panes.graph.replaceChildren(html("p", { class: "none" }, `The graph could not be laid out: ${error.message}`));
    }
    document.body.dataset.ready = "graph";
  }

  function draw(plain, shape, kinds) {
    const drawing = svg("g", {}), nodes = [];
    let width = 0, height = 0;
    const x = (inches) => (inches * 72 + 12).toFixed(1), y = (inches) => (height - inches * 72 + 12).toFixed(1);
    for (const row of plain.split("\n")) {
      const words = row.split(" ");
      if (words[0] === "graph") [width, height] = [words[2] * 72, words[3] * 72];
      if (words[0] === "edge") {
        const [source, target] = [Number(words[1].slice(1)), Number(words[2].slice(1))];
        const points = range(Number(words[3])).map((at) => `${x(words[4 + 2 * at])},${y(words[5 + 2 * at])}`);
        // In a cycle Graphviz may write the points from head to tail; the arrow is at the end that the target has.
        const kind = kinds.get(`${source},${target}`);
        const path = svg("path", { class: `edge ${kind}`, d: `M${points[0]}C${points.slice(1).join(" ")}`, "marker-end": `url(#arrow-${kind})` });
        drawing.append(register(path, ["e", source], ["e", target]));
      }
      if (words[0] === "node") nodes.push([Number(words[1].slice(1)), words[2], words[3]]);
    }
    for (const [at, middle, centre] of nodes.sort(([a], [b]) => a - b)) drawing.append(drawNode(at, shape.get(at), Number(x(middle)), Number(y(centre))));
    const markers = ["plain", "back", "then", "else", "handler", "lost"].map((kind) =>
      svg("marker", { id: `arrow-${kind}`, class: kind, viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M0,0.8L8,4L0,7.2z" })));
    const picture = svg("svg", { viewBox: `0 0 ${width + 24} ${height + 24}`, role: "group", "aria-label": view === "cfg" ? "control flow" : "dominator tree" }, svg("defs", {}, ...markers), drawing);
    picture.dataset.width = width + 24;
    picture.dataset.height = height + 24;
    panes.graph.replaceChildren(picture);
    const fit = Math.min((panes.graph.clientWidth - 16) / (width + 24), (panes.graph.clientHeight - 16) / (height + 24));
    zoom(Math.min(1.25, Math.max(fit, F.visible.length > 120 ? 0.6 : 0.8)));
    roving(panes.graph);
    light();
    if (selection) reveal(panes.graph);
    else bring(panes.graph, registry.b.get(F.center)?.find((made) => panes.graph.contains(made)));
  }
  function drawNode(at, { lines, title, width, height }, middle, centre) {
    const left = middle - width / 2, top = centre - height / 2, block = F.blocks[at];
    const text = (line, place, attributes) => svg("text", { x: left + PAD, y: top + LINE * (place + 1) - 1, ...attributes }, line);
    const rows = lines.map((line, place) => {
      if (line.value === undefined) return text(line.text, place + 1, { class: "code" });
      const made = item(svg, "text", "x", line.value, "phi", { x: left + PAD, y: top + LINE * (place + 2) - 1, "data-phi": line.value }, line.text);
      return register(made, ["v", F.values[line.value][0]]);
    });
    const says = `block ${block.name}${F.lineOf[at] ? `, line ${F.lineOf[at]}` : ""}${block.phis.length ? `, phis ${block.phis.map(([value]) => valueName(value)).join(" ")}` : ""}${block.reach ? "" : ", unreachable"}`;
    const css = `row node${block.reach ? "" : " lost"}${F.neighbours(at).some((other) => !F.isVisible.has(other)) ? " open" : ""}`;
    const box = svg("rect", { x: left, y: top, width, height, rx: 5 });
    return ownBlock(item(svg, "g", "b", at, css, { role: "button", "aria-label": says }, box, text(title, 0, { class: "title" }), ...rows), at);
  }
  function zoom(to) {
    scale = Math.min(3, Math.max(0.05, to));
    const picture = panes.graph.querySelector("svg");
    if (!picture) return;
    picture.setAttribute("width", picture.dataset.width * scale);
    picture.setAttribute("height", picture.dataset.height * scale);
    $("#zoom").textContent = `${Math.round(scale * 100)}%`;
  }
  function fit() {
    const picture = panes.graph.querySelector("svg");
    if (!picture) return;
    const wide = (panes.graph.clientWidth - 16) / picture.dataset.width, high = (panes.graph.clientHeight - 16) / picture.dataset.height;
    zoom(Math.min(1, Math.max(Math.min(wide, high), Math.min(Math.max(wide, high), 0.25)))); // long ones scroll
  }

  // ---- which blocks are shown

  function around(center) {
    F.center = center;
    F.neighbours = (at) => [...F.blocks[at].succ, ...F.pred[at]];
    if (F.blocks.length <= WHOLE) {
      F.visible = range(F.blocks.length);
      F.inTree = F.visible.filter((at) => F.blocks[at].reach);
    } else {
      const near = new Set([center]);
      for (const at of near) for (const other of F.neighbours(at)) if (near.size < NEAR) near.add(other);
      F.visible = [...near].sort((a, b) => a - b);
      const tree = new Set([center, ...F.children[center].slice(0, NEAR)]);
      for (let at = F.blocks[center].idom; at >= 0 && tree.size < 2 * NEAR; at = F.blocks[at].idom) tree.add(at);
      F.inTree = [...tree].sort((a, b) => a - b);
    }
    F.isVisible = new Set(F.visible);
    const hidden = F.blocks.length > WHOLE;
    $("#banner").hidden = !hidden;
    if (hidden) $("#banner").textContent = `This function has ${F.blocks.length.toLocaleString()} blocks. Shown are the ${F.visible.length} around ${blockName(center)}; select a block with hidden neighbours, or a source line, to move.`;
  }
  function showAll() {
    registry = emptyRegistry();
    lit = [];
    showSource();
    showText();
    showTables();
    for (const pane of Object.values(panes)) roving(pane);
    light();
    return showGraph();
  }

  // ---- selection

  function related({ kind, id }) {
    const found = { hot: [], hit: [], dom: [], df: [] };
    const add = (to, from, ids) => { for (const one of ids) for (const made of registry[from].get(one) || []) found[to].push(made); };
    const instructions = (instrs) => {
      add("hit", "i", instrs);
      add("hit", "B", unique(instrs.map((at) => F.instrs[at][0])));
      add("hit", "l", unique(instrs.map((at) => F.instrs[at][1])).filter((line) => line));
    };
    add("hot", kind, [id]);
    if (kind === "b") {
      instructions(F.instrsOf[id]);
      add("hit", "e", [id]);
      add("df", "B", F.blocks[id].df);
      const below = [...F.children[id]];
      for (const at of below) below.push(...F.children[at]);
      add("dom", "B", below);
    } else if (kind === "l") {
      instructions(F.onLine.get(id) || []);
    } else if (kind === "v") {
      instructions(unique(F.mentions.get(id) || []));
      for (const value of F.valuesOf.get(id) || []) if (F.phiOf.has(value)) add("hit", "B", [F.phiOf.get(value).block]);
    } else {
      const [variable, , block, instr] = F.values[id];
      const touched = unique([...(instr < 0 ? [] : [instr]), ...(F.reads.get(id) || [])]);
      instructions(touched);
      add("hot", "B", [block]);
      add("hit", "B", (F.phiReads.get(id) || []).map((value) => F.phiOf.get(value).block));
      add("hot", "vl", unique(touched.map((at) => `${variable}:${F.instrs[at][1]}`)));
    }
    return found;
  }
  function light() {
    for (const [made, css] of lit) made.classList.remove(css);
    lit = [];
    if (!selection) return;
    const found = related(selection);
    for (const [css, all] of Object.entries(found)) for (const made of all) { made.classList.add(css); lit.push([made, css]); }
  }
  function select(kind, id, from) {
    const same = selection && selection.kind === kind && selection.id === id;
    selection = { kind, id };
    if (F.blocks.length > WHOLE && !same) {
      const target = kind === "b" ? id : kind === "l" ? F.instrs[F.onLine.get(id)[0]][0] : kind === "x" ? F.values[id][2] : F.center;
      if (target !== F.center && (!F.isVisible.has(target) || (kind === "b" && F.neighbours(target).some((at) => !F.isVisible.has(at))))) {
        around(target);
        showAll();
      }
    }
    light();
    for (const pane of [panes.source, panes.graph, panes.text, panes.tables]) if (pane !== from) reveal(pane);
    explain();
  }
  function clear() {
    selection = null;
    light();
    explain();
  }
  function reveal(pane) {
    const inside = lit.filter(([made]) => pane.contains(made));
    const found = inside.find(([, css]) => css === "hot") || inside.find(([, css]) => css === "hit");
    if (found) bring(pane, found[0]);
  }
  function bring(pane, made) {
    if (!made) return;
    const outer = pane.getBoundingClientRect(), inner = made.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) pane.scrollTop += inner.top - outer.top - Math.max(20, (outer.height - inner.height) / 2);
    if (inner.left < outer.left || inner.right > outer.right) pane.scrollLeft += pane === panes.graph ? inner.left - outer.left - (outer.width - inner.width) / 2 : 0;
  }

  function explain() {
    const lines = [];
    const say = (label, ...items) => lines.push(html("div", {}, html("b", {}, label), " ", ...items));
    const reasons = (why) => lines.push(html("pre", {}, why));
    const saved = registry;
    registry = emptyRegistry();
    if (!selection) {
      say("Select", "a block, variable, value or line in any pane: it lights up in all of them. Rest the pointer on a phi to see why it is there. Press ? for keys.");
    } else if (selection.kind === "b") {
      const block = F.blocks[selection.id];
      say(block.name, F.lineOf[selection.id] ? `line ${F.lineOf[selection.id]}` : "", block.reach ? "" : " unreachable");
      if (block.idom >= 0) say("parent in the dominator tree", blockItem(block.idom));
      say("dominance frontier", ...(block.df.length ? spaced(block.df.map(blockItem)) : ["empty"]));
      say("live in", ...(block.in.length ? spaced(block.in.map(variableItem)) : ["nothing"]));
      for (const [, , why] of block.phis) reasons(why);
      if (!block.phis.length) say("no phis");
    } else if (selection.kind === "x") {
      const [variable, , block, instr] = F.values[selection.id];
      say(valueName(selection.id), F.vars[variable][1], instr < 0 ? " phi of " : " made in ", blockItem(block), instr < 0 ? "" : ` line ${F.instrs[instr][1]}`);
      const readers = unique((F.reads.get(selection.id) || []).map((at) => F.instrs[at][1])).filter((line) => line);
      say("read", readers.length ? `on line ${readers.join(", ")}` : "by no instruction");
      const phis = F.phiReads.get(selection.id) || [];
      if (phis.length) say("operand of", ...spaced(unique(phis).map((value) => valueItem(value))));
      if (instr < 0) reasons(F.phiOf.get(selection.id).why);
    } else if (selection.kind === "v") {
      const values = F.valuesOf.get(selection.id) || [];
      say(F.vars[selection.id][0], F.vars[selection.id][1] === "captured" ? "cell: captured and reassigned, not versioned" : F.vars[selection.id][1]);
      if (values.length) say("values", ...spaced(values.map((value) => valueItem(value))));
      for (const value of values) if (F.phiOf.has(value)) reasons(F.phiOf.get(value).why);
    } else {
      const instrs = F.onLine.get(selection.id) || [];
      say(`line ${selection.id}`, html("code", {}, sourceText(selection.id).trim()));
      say("blocks", ...spaced(unique(instrs.map((at) => F.instrs[at][0])).map(blockItem)));
      const reads = unique(instrs.flatMap((at) => F.instrs[at][3].filter((part) => part[0] === 2 && !isTemp(part[1])).map((part) => part[2])));
      if (reads.length) say("reads", ...spaced(reads.map((value) => valueItem(value))));
    }
    registry = saved;
    $("#why").replaceChildren(...lines);
    roving($("#why"));
  }

  // ---- pointer, keyboard

  function roving(pane) {
    const first = pane.querySelector(".it");
    if (first && !pane.querySelector('.it[tabindex="0"]')) first.setAttribute("tabindex", 0);
  }
  function focus(made) {
    const pane = made.closest(".pane");
    for (const old of pane.querySelectorAll('.it[tabindex="0"]')) old.setAttribute("tabindex", -1);
    made.setAttribute("tabindex", 0);
    made.focus({ preventScroll: pane === panes.graph });
    if (pane === panes.graph) bring(pane, made);
  }
  function choose(made) {
    const kind = made.dataset.kind;
    if (kind === "f") { open(Number(made.dataset.id)); return; }
    const before = kind === "x" && $("#text").classList.contains("before") && panes.text.contains(made);
    if (before) select("v", Number(made.dataset.v), panes.text);
    else select(kind, Number(made.dataset.id), made.closest(".pane"));
  }
  function step(made, key) {
    const pane = made.closest(".pane");
    const items = [...pane.querySelectorAll(".it")].filter((one) => one.getClientRects().length);
    if (key === "Home") return items[0];
    if (key === "End") return items.at(-1);
    const block = made.dataset.kind === "b" ? F.blocks[made.dataset.id] : null;
    if (pane === panes.graph && block && (key === "ArrowDown" || key === "ArrowUp")) {
      const [down, up] = view === "cfg" ? [block.succ, F.pred[made.dataset.id]] : [F.children[made.dataset.id], [block.idom]];
      return (key === "ArrowDown" ? down : up).map((at) => pane.querySelector(`.node[data-id="${at}"]`)).find((one) => one) || made;
    }
    const place = items.indexOf(made), way = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
    if (key === "ArrowLeft" || key === "ArrowRight") return items[place + way] || made;
    const row = made.closest(".row");
    for (let at = place + way; items[at]; at += way) {
      const other = items[at].closest(".row");
      if (other !== row) return items.find((one) => one.closest(".row") === other);
    }
    return made;
  }

  document.addEventListener("click", (event) => {
    const made = event.target.closest?.(".it");
    if (!made) return;
    focus(made);
    choose(made);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select");
    const made = event.target.closest?.(".it");
    if (event.key === "Escape") { if (typing) event.target.blur(); hideTip(); clear(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (made && /^(Arrow|Home|End)/.test(event.key)) { event.preventDefault(); focus(step(made, event.key)); return; }
    if (made && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); choose(made); return; }
    const keys = {
      "/": () => $("#search").focus(), t: theme, b: before, g: () => show(view === "cfg" ? "tree" : "cfg"), f: fit,
      "+": () => zoom(scale * 1.25), "-": () => zoom(scale / 1.25), "?": () => $("#help").showModal(),
      "[": () => open(Math.max(0, F.at - 1)), "]": () => open(Math.min(index.length - 1, F.at + 1)),
    };
    const pane = { 1: "source", 2: "graph", 3: "text", 4: "tables" }[event.key];
    if (pane) keys[event.key] = () => panes[pane].querySelector('.it[tabindex="0"]')?.focus();
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  panes.graph.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(scale * (event.deltaY < 0 ? 1.15 : 1 / 1.15));
  }, { passive: false });

  const tip = $("#tip");
  function showTip(made) {
    const phi = F.phiOf.get(Number(made.dataset.phi));
    if (!phi) return;
    tip.textContent = phi.why;
    tip.hidden = false;
    made.setAttribute("aria-describedby", "tip");
    const at = made.getBoundingClientRect(), size = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`;
    tip.style.top = `${at.bottom + size.height + 12 < innerHeight ? at.bottom + 6 : Math.max(8, at.top - size.height - 6)}px`;
  }
  function hideTip() { tip.hidden = true; }
  for (const event of ["pointerover", "focusin"]) document.addEventListener(event, ({ target }) => {
    const made = target.closest?.("[data-phi]");
    if (made) showTip(made); else hideTip();
  });
  document.addEventListener("scroll", hideTip, true);

  // ---- controls

  function theme() {
    const dark = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
  }
  function before() {
    const on = panes.text.classList.toggle("before");
    $("#before").setAttribute("aria-pressed", on);
    $("#stage").textContent = on ? "Before SSA" : "SSA";
  }
  function show(which) {
    view = which;
    for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-selected", button.dataset.view === which);
    forget(panes.graph);
    showGraph();
  }
  for (const [name, [label]] of Object.entries(TABLES)) {
    const button = html("button", { role: "tab", "data-tab": name, "aria-selected": name === tab }, label);
    button.onclick = () => {
      tab = name;
      forget(panes.tables);
      showTables();
      roving(panes.tables);
      light();
      reveal(panes.tables);
    };
    $("#tabs").append(button);
  }
  for (const button of document.querySelectorAll("[data-view]")) button.onclick = () => show(button.dataset.view);
  $("#theme").onclick = theme;
  $("#before").onclick = before;
  $("#fit").onclick = fit;
  $("#in").onclick = () => zoom(scale * 1.25);
  $("#out").onclick = () => zoom(scale / 1.25);
  $("#keys").onclick = () => $("#help").showModal();

  const folder = index.reduce((all, [, path]) => { while (!path.startsWith(all)) all = all.replace(/[^/]*\/?$/, ""); return all; }, index[0]?.[1].replace(/[^/]*$/, "") || "");
  function list() {
    const words = $("#search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const order = { source: (a, b) => a - b, blocks: (a, b) => index[b][3] - index[a][3], phis: (a, b) => index[b][4] - index[a][4] }[$("#order").value];
    const found = range(index.length).filter((at) => words.every((word) => `${index[at][0]} ${index[at][1]}`.toLowerCase().includes(word))).sort(order);
    $("#found").textContent = `${found.length.toLocaleString()} of ${counted(index.length, "function")}`;
    const rows = found.slice(0, 2000).map((at) => {
      const [name, path, line, blocks, phis] = index[at];
      return html("div", { class: "it row fn", role: "option", tabindex: -1, "data-kind": "f", "data-id": at, "aria-selected": F != null && F.at === at },
        html("span", { class: "name" }, name), html("span", { class: "place", title: path }, `${path.slice(folder.length)}:${line}`), html("span", { class: "size" }, `${counted(blocks, "block")} · ${counted(phis, "phi")}`));
    });
    if (found.length > 2000) rows.push(html("p", { class: "none" }, "Search to see the rest."));
    panes.list.replaceChildren(...rows);
    roving(panes.list);
  }
  $("#search").oninput = list;
  $("#order").onchange = list;

  async function open(at) {
    document.body.dataset.ready = "";
    const found = await unpack(at);
    F = found;
    F.at = at;
    selection = null;
    $("#title").textContent = F.name;
    $("#place").textContent = `${F.path}:${F.line}`;
    const phis = F.blocks.reduce((sum, block) => sum + block.phis.length, 0);
    $("#size").textContent = [counted(F.blocks.length, "block"), counted(F.instrs.length, "instruction"), counted(phis, "phi")].join(", ");
    document.title = `${F.name} · ssarel`;
    around(0);
    const graph = showAll();
    explain();
    for (const row of panes.list.querySelectorAll(".fn")) row.setAttribute("aria-selected", Number(row.dataset.id) === at);
    document.body.dataset.ready = "text";
    await graph;
  }

  document.body.classList.toggle("many", index.length > 1);
  const asked = Number(/^#(\d+)$/.exec(location.hash)?.[1] ?? document.body.dataset.first);
  if (index.length) open(Math.min(asked, index.length - 1)).then(list);
})();
