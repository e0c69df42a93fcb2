import { useMemo, useCallback as uc } from "react"; import * as React from "react"; import Z from "z";
export function Memo(a, b) { const m = useMemo(() => a.p + b?.q.r + Z, [a.p, b?.q.r, Z]); const c = React.useCallback(() => m, [m]); const d = uc(function () { return a; }); return [m, c, d, useMemo(() => 1, [])]; }
