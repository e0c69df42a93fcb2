// A module variable, an import, and two names of the world, one of them read twice.
import { helper } from "./helper.js";
const base = 1;
function f(p) {
  console.log(base);
  console.log(helper(p), Math);
}
