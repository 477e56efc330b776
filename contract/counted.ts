/** A count with its noun: `1 request`, `2 requests`. `several` is the plural of a noun that takes more than an `s`. */
export function counted(count: number | bigint, one: string, several = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : several}`;
}
