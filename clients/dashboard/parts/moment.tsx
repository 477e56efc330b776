const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in Unix seconds, as it is on the reader's clock. */
export function Moment({ at }: { readonly at: number }) {
  const date = new Date(at * 1_000);
  return <time dateTime={date.toISOString()}>{form.format(date)}</time>;
}
