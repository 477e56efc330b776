/** A condition: the column is wei text (`toWeiText`), without a sign. */
export function isWei(column: string): string {
  return `${column} >= '0' AND length(${column}) <= 40`;
}

/** A condition: the column is wei text that may be below zero (`toSignedWeiText`). */
export function isSignedWei(column: string): string {
  return `length(${column}) BETWEEN 1 AND 41`;
}
