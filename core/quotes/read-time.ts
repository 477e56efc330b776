/** Unix seconds as digits end here (the year 5138); larger numbers are milliseconds. */
const firstMilliseconds = 100_000_000_000;

const number = /^\d{1,14}(?:\.\d{1,12})?$/;
const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,12})?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** Unix seconds of a time written as seconds, as milliseconds or in RFC 3339 with its zone. Undefined for other texts. */
export function readTime(text: string): number | undefined {
  if (number.test(text)) {
    const value = Number(text);
    return Math.floor(value < firstMilliseconds ? value : value / 1_000);
  }
  if (!rfc3339.test(text)) return undefined;
  const milliseconds = Date.parse(text.toUpperCase());
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1_000);
}
