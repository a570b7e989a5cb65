/**
 * How FTS5's tokenizer `unicode61 remove_diacritics 2` sees the letters beyond ASCII, oddities included: what was not assigned in
 * its version of Unicode is a letter. Runs of code points, in base 36: `gap-more`, counted from the end of the run before.
 */
const separators =
  "3k-15 2-6 3 2-2 3 4 o w cr-3 d-d 6-6 2 2-g 6 8-1 2 2-8 2-6 7-3 3 3-1p 6 9 6-1 2 33 3w-7 5t-5 16-1 5 2-1i 18-1 " +
  "c-4 2-l 3-1 18-k b-3 3 2s 2-e 3-6 g-1 2-d 2 2 v-q 2k-a 1n-8 3-3 t-3 2-8 2-2 2-4 3-e r-2 3 3q-q 2-3 1j-2 2-h " +
  "2-6 b-3 b h-2 1l 2-6 3-1 3-2 a b-1 f-1 7-1 6-2 1l 2-4 5-1 3-2 4 v-1 4 c-2 1l 2-7 2-2 2-2 l-1 d-1 g-2 1l 2-6 " +
  "3-1 3-2 9-1 b-1 d i 1o-4 4-2 2-3 a s-7 7-2 1n-6 2-2 2-3 8-1 c-1 s 3-1 1l 2-6 2-2 2-3 8-1 c-1 v-1 1n-6 2-2 2-3 " +
  "a b-1 m 9-1 1z 5-5 2 2-7 j-2 1p 3-6 5 8-8 b-1 2e 3-5 2-1 c-5 1g-u l-b 1e-m 6-a 2-z 2-e 2-c 29-j c-5 7-3 5-2 " +
  "2-2 3-6 4-3 e-b 2 b-5 2k gy-b 14-9 2v h9-1 i r-1 27-2 11-2 u-4 s-1 v-1 1t-y 2-3 2 z-e 4b 3b-b 5-b 5 4-1 2z-g " +
  "8-1 l-x o-4 3-1 1i-9 2-s 3 x-6 2-5 2b-4 1c-g m-y 4-2 v-c 1l-d 9-3 11-j 4-4 1r-1 1t-7 9-o 5 5-2 5o-12 m-3 ce " +
  "2-2 c-2 e-2 e-2 e-1 2-2s 6-5 b-4 c-4 i-p n-w g-1 2-3 2-1 b 2-2 6-5 2 2 2 5 c-1 5-4 6-3 2 1t-gz d-12 q-a 2a-25 " +
  "n-e7 2-38 v-qg 4-9 b0-5 5-2 8-3 2-1 35 f 2p-26 2-b 1x-p 2-2g d-5x r-b 5-4 4-o a-6 6-1 6-2 2i-3 4 2j 45-1 5-9 " +
  "x-z t-u c-t 9 g-v b-12 g-1q 2-73 535-1r h3l-1i 1k-1 7i-2 2o-f x 29-7 9-m a-1 2w-1 3c 4 5 o-8 b-3 1n-3 9-1 1f-g " +
  "a-1 h-h 7-2 18-9 o-c c x-3 1c-q h-1 22-d d 9-1 f-3 o-2 2 1h 2-2 3-1 6-1 2 t-1 c-6 4-1 6l-a fn5 b 3t-f al-1 " +
  "59-1 3-p 7-6 a-y 2-i 2-3 44 2-e b-6 r-5 r-a 3f-6 2-6 b-6 75-2 1h-8 1m-g 7-b 1h-19 bm 1d w7 5k w 5e-2 2-1 6-3 " +
  "15-2 5 h-8 13 56-6 xt-2 1i-l 1f-2 1a-h 1r-2 11-d c-3 1p-2 1d-d 5-3 yr-c 2pl-3 ese-19 h-3 j1q-6t b-12 3-50 z-1x " +
  "57-2e ob q w q w q w q w q 4kt-1 7j-17 5-2r d-e 3-d 3-e 2-e 1d-u 2-1n 5-16 24-s e-16 6-8 8-1 4v-w g-5 2-1x 4-j " +
  "d-10 2-4 m-g g-1q 2 2-51 2-3 4-1p 3-3 d-n 44-1x 5-a 1d-1x 1n-37 gwi6 v-2n 3l-6n";

const foldings =
  "51,lj b,-2n 1,-2o 1,-2p 1,-2q 1,-2r 1,-2s 1,w 1,-2s 1,-2r 1,-2s 1,-2t 1,-2u 1,-2r 1,-2s 1,-2t 1,-2u 1,w " +
  "1,-2r,1 1,-2s 1,-2t 1,-2u 1,-2v 2,w 1,-2s 1,-2t 1,-2u 1,-2v 1,-2s 1,w 2,-3j 1,-3k 1,-3l 1,-3m 1,-3n 1,-3o,1,2 " +
  "1,-3n 1,-3o 1,-3p 1,-3q 1,-3n 1,-3o 1,-3p 1,-3q 2,-3n,1 1,-3o 1,-3p 1,-3q 1,-3r 3,-3o 1,-3p 1,-3q 1,-3r 1,-3o " +
  "2,-3q 1,-4f 1,-4g 1,-4h 1,-4i 1,-4j 1,-4k 1,-4j 1,-4k 1,-4l 1,-4m 1,-4n 1,-4o 1,-4p 1,-4q,1 1,-4r 1,1 2,-4t " +
  "1,-4u 1,-4v 1,-4w 1,-4x 1,-4y 1,-4z 1,-50 1,-51 1,-52 1,-51 1,-52 1,-53 1,-54 1,-55 1,-56 1,-57 1,-58,1 1,-59 " +
  "1,1 2,-5b 1,-5c 1,-5d 1,-5e 1,-5f 1,-5g 1,-5h 1,-5i 1,-5j 2,1 2,-5m 1,-5n,1 1,-5o 2,-5p 1,-5q 1,-5r 1,-5s " +
  "1,-5t 1,-5u 1,1,1,2 2,-5x 1,-5y 1,-5z 1,-60 1,-61 1,-62 2,1 2,-65 1,-66 1,-67 1,-68 1,-69 1,-6a 1,1 2,-6a " +
  "1,-6b 1,-6c 1,-6d 1,-6e 1,-6f,1 1,-6g 1,-6h 1,-6i 1,-6j 1,-6k 1,-6l 1,-6m,1 1,-6n 1,-6o 1,-6p 1,1 2,-6r 1,-6s " +
  "1,-6t 1,-6u 1,-6v 1,-6w 1,-6x 1,-6y 1,-6z 1,-70 1,-71 1,-72 1,-71 1,-72 1,-71 1,-72 1,-73,1 1,-74 1,-75 1,-76 " +
  "1,-77 1,-78 1,-7g 2,5u 1,1,1,2 2,5q 1,1 2,5p,1 1,1 3,27 1,5m 1,5n 1,1 2,5p 1,5r 2,5v 1,5t 1,1 4,5v 1,5x 2,5y " +
  "1,-8h 1,-8i 1,1,1,2 2,62 1,1 2,62 3,1 2,62 1,-8q 1,-8r 1,61,1 1,1,1,2 2,63 1,1 4,1 8,2 1,1 2,2 1,1 2,2 1,1 " +
  "2,-a4 1,-a5 1,-9y 1,-9z 1,-9u 1,-9v 1,-9q 1,-9r 1,-9s 1,-9t 1,-9u 1,-9v 1,-9w 1,-9x 1,-9y 1,-9z 2,-al 1,-am " +
  "1,1,2,2 2,-an 1,-ao 1,-al 1,-am 1,-aj 1,-ak 1,-al 1,-am 1,1 2,-au 1,2 1,1 2,-b1 1,-b2 1,-2p 1,-1k 1,-ay 1,-az " +
  "1,-bd 1,-be 1,1,1,2 2,-bj 1,-bk 1,-bl 1,-bm 1,-bj 1,-bk 1,-bl 1,-bm 1,-bj 1,-bk 1,-bl 1,-bm 1,-bh 1,-bi 1,-bj " +
  "1,-bk 1,-bi 1,-bj 1,-bk 1,-bl 1,-bj 1,-bk 1,-bl 1,-bm 1,-bp 1,-bq,1 1,-br 1,1 2,-c6 1,-c7 1,-3m 2,1,1,2 2,-cl " +
  "1,-cm 1,-cj 1,-ck 1,-cb 1,-cc 1,-cd 1,-ce 1,-cf 1,-cg 1,-ch 1,-ci 1,-c9 1,-ca 7,8bv 1,1 2,-4j 1,8bs 3,1 2,-5f " +
  "1,1x 1,1z 1,1,4,2 82,1,1,2 4,1 g,12 2,11,2 2,1s 2,1r,1 2,w,g 2,w,8 n,1 d,8 1,-u 1,-p 4,-f 1,-m 2,1,b,2 2,-1i " +
  "1,-1c 3,-1o 1,-1s 2,1 2,-7 1,1 3,-3m,2 1,28,f 1,w,v 1d,1,g,2 a,1,q,2 2,f 1,1,6,2 3,1,17,2 b,1c,11 28a,5ls,11 " +
  "2,5ls 6,5ls 2lv,-5un 1,-5uo,1 1,-5up 1,-5uq 1,-5ur 1,-5us 1,-5ut,1 1,-5uu,1 1,-5uv 1,-5uw 1,-5ux 1,-5uy 1,-5uz " +
  "1,-5v0 1,-5v1 1,-5v2 1,-5v3,1 1,-5v4 1,-5v5 1,-5v6 1,-5v7 1,-5v8 1,-5v9 1,-5va 1,-5vb 1,-5vc,1 1,-5vd,1 " +
  "1,-5ve,1 1,-5vf 1,-5vg 1,-5vh 1,-5vi 1,-5vj 1,-5vk 1,-5vl 1,-5vm 1,-5vn,1 1,-5vo 1,-5vp 1,-5vq 1,-5vp 1,-5vq " +
  "1,-5vr 1,-5vs 1,-5vt 1,-5vu,1 1,-5vv 1,-5vw 1,-5vx 1,-5vy 1,-5vz 1,-5w0 1,-5w1,1 1,-5w2 1,-5w3 1,-5w4 1,-5w5 " +
  "1,-5w6,1 1,-5w7 1,-5w8 1,-5w9 1,-5wa 1,-5wb 1,-5wc 1,-5wd,1 1,-5we 1,-5wf 1,-5wg 1,-5wh 1,-5wi 1,-5wj 1,-5wk,1 " +
  "1,-5wl 1,-5wm 1,-5wn 1,-5wm 1,-5wn 1,-5wo 1,-5wp 1,-5wq 1,-5wr 1,-5ws 1,-5wt,1 1,-5wu 1,-5wv 1,-5ww 1,-5wx " +
  "1,-5wy 1,-5wz 1,-5x0 1,-5x1 1,-5x2,1 1,-5x3 1,-5x4 1,-5x5 1,-5x6 1,-5x7 1,-5x8 1,-5x9,1 1,-5xa 1,-5xb 1,-5xc " +
  "1,-5xd 1,-5xe 1,-5xf 1,-5xg 1,-5xh 1,-5xi,1 1,-5xj 1,-5xk 1,-5xl,1 1,-5xm 1,-5xn 1,-5xo 1,-5xp 1,-5xq 1,-5xr " +
  "1,-5xs 1,-5xt 1,-5xu,1 1,-5xv 1,-5xw 1,-5xx,1 1,-5xy,1 1,-5xz 1,-5y0 1,-5y1 1,-5y2 1,-5y3 1,-5ym 1,-5yb 1,-5y9 " +
  "1,-5y8 2,-5yg 3,-5vj 2,-5z3 1,-5z4 1,-5z5 1,-5z6 1,-5z7 1,-5z8 1,-5z9 1,-5za 1,-5zb 1,-5zc 1,-5zd 1,-5ze " +
  "1,-5zf 1,-5zg 1,-5zh 1,-5zi 1,-5zj 1,-5zk 1,-5zl 1,-5zm 1,-5zn 1,-5zo 1,-5zp 1,-5zq 1,-5zn 1,-5zo 1,-5zp " +
  "1,-5zq 1,-5zr 1,-5zs 1,-5zt 1,-5zu 1,-5zv 1,-5zw 1,-5zx 1,-5zy 1,-5zz 1,-600 1,-601 1,-602 1,-5zz 1,-600 " +
  "1,-601 1,-602 1,-5zx 1,-5zy 1,-5zz 1,-600 1,-601 1,-602 1,-603 1,-604 1,-605 1,-606 1,-607 1,-608 1,-609 " +
  "1,-60a 1,-60b 1,-60c 1,-60d 1,-60e 1,-60f 1,-60g 1,-60h 1,-60i 1,-60j 1,-60k 1,-60f 1,-60g 1,-60h 1,-60i " +
  "1,-60j 1,-60k 1,-60l 1,-60m 1,-60n 1,-60o 1,-60p 1,-60q 1,-60r 1,-60s 1,-60p 1,-60q 1,-60r 1,-60s 1,-60t " +
  "1,-60u 1,-60v 1,-60w 1,1,2,2 a,-8,7 9,-8,5 b,-8,7 9,-8,7 9,-8,5 c,-8,3,2 9,-8,7 p,-8,7 9,-8,7 9,-8,7 9,-8,1 " +
  "1,-22,1 1,-9 2,-5j9 a,-2e,3 1,-9 c,-8,1 1,-2s,1 d,-8,1 1,-34,1 1,-7 c,-3k,1 1,-3i,1 1,-9 8a,-5st 4,-6gv 1,-6h6 " +
  "7,s 1a,g,f k,1 22l,1c,1a 1e,1 2,-8af 1,-2xy 1,-89z 3,1,2,2 2,-8bg 1,-8al 1,-8bj 1,-8bi 2,1 3,1 9,-8cf,1 " +
  "1,1,1d,2 9,1,1,2 5,1 nym,1,m,2 k,1,b,2 3w,1,6,2 4,1,u,2 b,1,1,2 2,-r9g 1,1,4,2 5,1 2,-wmg 3,1,1,2 e,1,4,2 " +
  "2,-wn8 h9z,w,p xy,14,13";

const accents = "lc-4 2-6 3 2 a 8-5 5-1 2-1";

export type LetterKind =
  | "letter"
  | "separator"
  /** An accent: part of a word, but not of what is kept of it. */
  | "accent";

let kinds: Map<number, LetterKind> | undefined;
let folded: Map<number, number> | undefined;

/** The kind of a code point beyond ASCII. */
export function kindOfLetter(code: number): LetterKind {
  kinds ??= new Map([
    ...codesOf(separators).map((each) => [each, "separator"] as const),
    ...codesOf(accents).map((each) => [each, "accent"] as const),
  ]);
  return kinds.get(code) ?? "letter";
}

/** A code point beyond ASCII in lower case and without its accents. */
export function foldLetter(code: number): number {
  folded ??= readFoldings();
  return folded.get(code) ?? code;
}

function codesOf(runs: string): number[] {
  let last = 0;
  return runs.split(" ").flatMap((run) => {
    const [gap = 0, more = 0] = run.split("-").map((text) => Number.parseInt(text, 36));
    const first = last + gap;
    last = first + more;
    return Array.from({ length: more + 1 }, (_, index) => first + index);
  });
}

/** `gap,offset,more,step`: letters at equal steps whose folded forms are equally far away. */
function readFoldings(): Map<number, number> {
  const found = new Map<number, number>();
  let code = 0;
  for (const run of foldings.split(" ")) {
    const [gap = 0, offset = 0, more = 0, step = 1] = run.split(",").map((text) => Number.parseInt(text, 36));
    code += gap;
    found.set(code, code + offset);
    for (let left = more; left > 0; left -= 1) {
      code += step;
      found.set(code, code + offset);
    }
  }
  return found;
}
