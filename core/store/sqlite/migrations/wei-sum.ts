/** The sum of a wei text column as wei text: four limbs, each with what the one to its right carries. */
export function weiSum(column: string): string {
  const limb = (start: number, digits: number) => `SUM(CAST(substr(${column}, ${start}, ${digits}) AS INTEGER))`;
  const fourth = limb(32, 9);
  const third = `(${limb(23, 9)} + ${fourth} / 1000000000)`;
  const second = `(${limb(14, 9)} + ${third} / 1000000000)`;
  const first = `(${limb(1, 13)} + ${second} / 1000000000)`;
  return `printf('%013d%09d%09d%09d', ${first}, ${second} % 1000000000, ${third} % 1000000000, ${fourth} % 1000000000)`;
}
