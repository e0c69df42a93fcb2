import React, { type FC, useState as us } from 'react'; import * as ns from './x'; import type { T } from 't'; import def from "d";
enum Color { Red, Green = Red + 1, Blue = f() } declare const foo: number; declare function bar(): void; declare module 'm' { const z: number; }
namespace N.M { export const x = 1; export function g() { return x; } } abstract class Q<T> extends ns.Base<T> implements I { private readonly a: number = 1; declare b: string; abstract c(): void; constructor(private x: number, public readonly y?: string, protected z = 2) { super(); } @dec() method(@param a: number): void {} static s?: number; [key: string]: any; get v(): number { return this.a; } }
@dec class D { @field f = 1; @acc() get g() { return 1; } }
type X = { a: number }; interface I { b(): void } export type { T }; export interface J {}
const a = x as unknown as string, b = <T,>(v: T): T => v!, c = y satisfies number, d = z!.q!, e = arr as number[];
function over(a: string): void; function over(a: any) { return a; } function th(this: Window, a?: number, ...r: string[]) { return a; }
export default function App({ a, b: [c1 = 1] = [], ...rest }: Props) { const [s, set] = us<string>(''); return <ns.P.Q a="x&amp;y&nbsp;" {...rest} b={s} c d-e="1" xlink:href="u" f=<b/>><></>text {s} more<svg:rect/>{...rest.kids}{/* c */}{}
  line2  &lt; <Foo render={() => <i>{c1}</i>}/></ns.P.Q>; }
import req = require('r'); import al = ns.Foo; export { a as aa, b }; export * from 'z'; export * as zz from 'y'; export const ex = 1, ey = 2; export class EC {} export enum EE { A }
let v1: typeof a, v2 = a!; for (const [k, v] of Object.entries<number>(o)) {} const f1 = f<string>; v1 = (a as any); (v1 as any) = 2; a! += 1; (b as any).c = 1;
function assertIsString(val: any): asserts val is string {} const gen = async function* <T>(x: T) { yield x; };
abstract class Z { abstract x: number; } export = a;
