/** The id in a transaction's answer: in a row, or in the value of a result. The first of the names that is present. */
export function idIn(answer: unknown, ...names: readonly string[]): string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const fields: object =
    'value' in answer && typeof answer.value === 'object' && answer.value !== null ? answer.value : answer;
  const ids = names.map((name) => (fields as Readonly<Record<string, unknown>>)[name]);
  return ids.find((id) => typeof id === 'string') as string | undefined;
}
