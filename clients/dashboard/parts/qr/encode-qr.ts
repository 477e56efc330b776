/**
 * QR codes of one size (ISO/IEC 18004): version 5 with error correction level M and mask 0, for up to 84 bytes of text. That
 * is enough for an address with its chain, and needs no choice of size and mask.
 */
const size = 37;
const blocks = 2;
const dataPerBlock = 43;
const correctionPerBlock = 24;
const maxBytes = 84;

/** Of level M and mask 0, with its check bits, as the standard masks them. */
const formatBits = 0b101010000010010;
/** Center of the one alignment pattern of version 5. */
const alignment = 30;

/** Powers of 2 in the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1. */
const powers = new Uint8Array(255);
const logarithms = new Uint8Array(256);
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  powers[exponent] = value;
  logarithms[value] = exponent;
  value = value < 128 ? value << 1 : (value << 1) ^ 0x11d;
}

function times(one: number, other: number): number {
  if (one === 0 || other === 0) return 0;
  return powers[((logarithms[one] ?? 0) + (logarithms[other] ?? 0)) % 255] ?? 0;
}

/** The product of (x − 2⁰) to (x − 2²³), without its leading 1. */
const divisor = Array.from({ length: correctionPerBlock }, (_, index) => index).reduce<number[]>(
  (product, root) => {
    const by = powers[root] ?? 0;
    return product.map((each, index) => times(each, by) ^ (product[index + 1] ?? 0));
  },
  [...Array(correctionPerBlock - 1).fill(0), 1],
);

/** The remainder of a block, divided by `divisor`: Reed–Solomon code words. */
function correctionOf(block: readonly number[]): readonly number[] {
  let rest: number[] = Array(correctionPerBlock).fill(0);
  for (const each of block) {
    const factor = each ^ (rest[0] ?? 0);
    rest = rest.map((_, index) => (rest[index + 1] ?? 0) ^ times(divisor[index] ?? 0, factor));
  }
  return rest;
}

/** The bytes of a text with mode, length and padding, then those that correct errors, of both blocks in turns. */
function codeWords(bytes: Uint8Array): readonly number[] {
  const byteMode = 0b0100;
  const half = [
    byteMode,
    bytes.length >> 4,
    bytes.length & 15,
    ...[...bytes].flatMap((each) => [each >> 4, each & 15]),
    0,
  ];
  const words: number[] = [];
  for (let index = 0; index < half.length; index += 2) words.push(((half[index] ?? 0) << 4) | (half[index + 1] ?? 0));
  for (let pad = 0; words.length < blocks * dataPerBlock; pad += 1) words.push(pad % 2 === 0 ? 0xec : 0x11);
  const data = Array.from({ length: blocks }, (_, index) =>
    words.slice(index * dataPerBlock, (index + 1) * dataPerBlock),
  );
  const inTurns = (of: readonly (readonly number[])[]) =>
    (of[0] ?? []).flatMap((_, index) => of.map((block) => block[index] ?? 0));
  return [...inTurns(data), ...inTurns(data.map(correctionOf))];
}

type Modules = (boolean | undefined)[][];

/** Patterns that are the same in every code, around which the data goes. */
function fixedModules(): Modules {
  const modules: Modules = Array.from({ length: size }, () => Array(size).fill(undefined));
  const set = (row: number, column: number, isDark: boolean) => {
    const line = modules[row];
    if (line !== undefined && column >= 0 && column < size) line[column] = isDark;
  };
  for (let index = 0; index < size; index += 1) {
    set(6, index, index % 2 === 0);
    set(index, 6, index % 2 === 0);
  }
  for (const [top, left] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    for (let down = -4; down <= 4; down += 1) {
      for (let right = -4; right <= 4; right += 1) {
        const ring = Math.max(Math.abs(down), Math.abs(right));
        set(top + down, left + right, ring !== 2 && ring !== 4);
      }
    }
  }
  for (let down = -2; down <= 2; down += 1) {
    for (let right = -2; right <= 2; right += 1) {
      set(alignment + down, alignment + right, Math.max(Math.abs(down), Math.abs(right)) !== 1);
    }
  }
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((formatBits >> bit) & 1) === 1;
    if (bit < 6) set(bit, 8, isDark);
    else if (bit < 8) set(bit + 1, 8, isDark);
    else set(8, bit === 8 ? 7 : 14 - bit, isDark);
    if (bit < 8) set(8, size - 1 - bit, isDark);
    else set(size - 15 + bit, 8, isDark);
  }
  set(size - 8, 8, true);
  return modules;
}

/** Rows of dark and light modules for a text; undefined if it is longer than 84 bytes in UTF-8. */
export function encodeQr(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > maxBytes) return undefined;
  const words = codeWords(bytes);
  const modules = fixedModules();
  let bit = 0;
  // In pairs of columns from the right, up and down by turns. Column 6 is a fixed pattern.
  for (let right = size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp) {
    for (let step = 0; step < size; step += 1) {
      const row = isUp ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        const line = modules[row] ?? [];
        if (line[column] !== undefined) continue;
        const isSet = (((words[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        line[column] = isSet !== ((row + column) % 2 === 0);
        bit += 1;
      }
    }
  }
  return modules.map((line) => line.map((isDark) => isDark === true));
}
