const form = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** A time in Unix seconds, in the reader's time zone. */
export function Moment({ at }: { readonly at: number }) {
  const date = new Date(at * 1_000);
  return <time dateTime={date.toISOString()}>{form.format(date)}</time>;
}
