; Kinds of instructions and names that a reader may trip over.
%T = type { i32, %T2* }
%T2 = type opaque
%"odd, type" = type { i32 }

@g = global [3 x i8] c"%a\22"
@tab = constant i8* blockaddress(@unrelated, %x)

declare i32 @__gxx_personality_v0(...)
declare void @sink(%T*, ...)
declare void @llvm.dbg.declare(metadata, metadata, metadata)

define void @unrelated(i1 %c) {
  br label %x
x:
  ret void
}

define i32 @names(i1, i32) {
  %T = alloca %T
  %3 = alloca i32, align 4
  %"a b" = alloca %"odd, type"
  %agg = alloca { i32, [2 x i8] }, align 8
  store %"odd, type" zeroinitializer, %"odd, type"* %"a b"
  store { i32, [2 x i8] } { i32 1, [2 x i8] c"%3" }, { i32, [2 x i8] }* %agg
  store %T { i32 1, %T2* null }, %T* %T
  store i32 %1, i32* %3
  switch i32 %1, label %x [ i32 0, label %x
     i32 1, label %y
     i32 2, label %x ]
x:
  %.0 = add i32 1, 1
  store i32 %.0, i32* %3, align 4
  store { i32, [2 x i8] } undef, { i32, [2 x i8] }* %agg
  br label %y
y:
  %w = load %T, %T* %T
  %q = load %"odd, type", %"odd, type"* %"a b"
  %m = load { i32, [2 x i8] }, { i32, [2 x i8] }* %agg
  %e = extractvalue { i32, [2 x i8] } %m, 0
  %e2 = extractvalue %T %w, 0
  %b = ptrtoint i8* blockaddress(@unrelated, %x) to i64
  %4 = load i32, i32* %3
  %5 = add i32 %4, %e
  store i32 %5, i32* %3
  %6 = load i32, i32* %3
  %7 = load i32, i32* %3
  %8 = add i32 %6, %7
  %9 = add i32 %8, %e2
  call void (%T*, ...) @sink(%T* null, i32 %9)
  ret i32 %9
}

define i32 @loadchain(i32 %n) {
entry:
  %a = alloca i32
  %b = alloca i32
  %unused = alloca double
  %atom = alloca i32
  store atomic i32 %n, i32* %atom seq_cst, align 4
  %v0 = load atomic i32, i32* %atom acquire, align 4
  store i32 %v0, i32* %a
  %v1 = load i32, i32* %a
  store i32 %v1, i32* %b
  %v2 = load i32, i32* %b
  store i32 %v2, i32* %a
  br label %h
h:
  %p = phi i32 [ %v2, %entry ], [ %v3, %h ]
  %v3 = load i32, i32* %a
  %dead = load i32, i32* %b
  store i32 %p, i32* %a
  %c = icmp eq i32 %v3, %p
  br i1 %c, label %h, label %out
out:
  ret i32 %v3
gone:
  %g0 = load i32, i32* %a
  store i32 %g0, i32* %b
  br label %gone
}

define i32 @seh(i32 %n) personality i32 (...)* @__gxx_personality_v0 {
entry:
  %x = alloca i32
  store i32 0, i32* %x
  %r = invoke i32 @seh(i32 1) to label %ok unwind label %dispatch
dispatch:
  %cs = catchswitch within none [label %handler] unwind to caller
handler:
  %cp = catchpad within %cs [i8* null, i32 64, i8* null]
  %v = load i32, i32* %x
  %v2 = add i32 %v, %n
  store i32 %v2, i32* %x
  catchret from %cp to label %ok
ok:
  %z = load i32, i32* %x
  ret i32 %z
}

define i32 @debug(i32 %n) !dbg !5 {
  %1 = alloca i32, align 4
  %y = alloca i32, align 4
  call void @llvm.dbg.declare(metadata i32* %1, metadata !9, metadata !DIExpression()), !dbg !10
  store i32 %n, i32* %1, align 4, !dbg !10
  %2 = load i32, i32* %1, align 4, !dbg !10
  call void @llvm.dbg.declare(metadata i32* %y, metadata !11, metadata !DIExpression()), !dbg !10
  call void (i32*, ...) bitcast (void (%T*, ...)* @sink to void (i32*, ...)*)(i32* %y)
  ret i32 %2, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "x", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 7, !"Dwarf Version", i32 4}
!5 = distinct !DISubprogram(name: "debug", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!6 = !DISubroutineType(types: !7)
!7 = !{!8, !8}
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocalVariable(name: "n", arg: 1, scope: !5, file: !1, line: 1, type: !8)
!10 = !DILocation(line: 2, column: 1, scope: !5)
!11 = !DILocalVariable(name: "y", scope: !5, file: !1, line: 1, type: !8)
