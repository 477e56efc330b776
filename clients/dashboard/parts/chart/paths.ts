/** The points of values from 0 to `most` in a square of 100 by 100, from the left. */
function pointsOf(values: readonly number[], most: number): readonly string[] {
  const step = 100 / Math.max(1, values.length - 1);
  return values.map((value, index) => `${round(index * step)} ${round(most === 0 ? 100 : 100 - (value / most) * 100)}`);
}

/** An SVG path through the values; nothing without any. */
export function linePath(values: readonly number[], most: number): string {
  if (values.length === 0) return '';
  return `M${pointsOf(values, most).join('L')}`;
}

/** An SVG path of the area between the values and zero. */
export function areaPath(values: readonly number[], most: number): string {
  if (values.length === 0) return '';
  return `${linePath(values, most)}L100 100L0 100Z`;
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The end of the scale for a highest value: the next 1, 2 or 5 times a power of ten. */
export function scaleTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((each) => each * power >= most) ?? 10) * power;
}
