using r = open(); { using s = open2(), t = 1; r.x(s); } await using q = 1;
export default class { static x = 1 } ; export const { a, b: [c] } = r; import x, { y as z, default as w, "str name" as sn } from './m.js' with { type: 'json' };
export { x as "string name", z }; import.meta.url; await x; export default (a, b) => a;
