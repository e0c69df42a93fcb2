; The value of a callbr exists on all its edges since LLVM 17. Older versions read another form.
define i32 @callbr(i32 %n) {
entry:
  %x = alloca i32
  store i32 %n, i32* %x
  %o = callbr i32 asm "# $0 $1 ; } store", "=r,r,!i"(i32 %n) to label %direct [label %indirect]
direct:
  store i32 %o, i32* %x
  br label %indirect
indirect:
  %v = load i32, i32* %x
  ret i32 %v
}
