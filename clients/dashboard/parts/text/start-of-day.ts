/** Start of a day in the reader's calendar, or some days later, in Unix seconds; undefined for an invalid day. */
export function startOfDay(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  return String(new Date(year, month - 1, date + later).getTime() / 1_000);
}
