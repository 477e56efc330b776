import { Icon } from '../../parts/icon.tsx';
import { locale } from '../../parts/text/moment-text.ts';

/** Most months to choose from. */
const most = 24;

/** The UTC months up to a moment (milliseconds), `YYYY-MM`, newest first. */
export function monthsUpTo(moment: number): readonly string[] {
  const now = new Date(moment);
  return Array.from({ length: most }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}

const name = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** A month's name, with its year. */
export function monthName(month: string): string {
  return name.format(new Date(`${month}-01T00:00:00Z`));
}

/** The first and the last day of a month, without its year. */
export function monthEnds(month: string): { readonly first: string; readonly last: string } {
  const first = new Date(`${month}-01T00:00:00Z`);
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0));
  return { first: day.format(first), last: day.format(last) };
}

type MonthPickerProps = {
  /** Newest first; the first one is the present month. */
  readonly months: readonly string[];
  readonly month: string;
  readonly onChange: (month: string) => void;
};

/** Goes through the months by arrows, or to one of them. */
export function MonthPicker({ months, month, onChange }: MonthPickerProps) {
  const index = months.indexOf(month);
  const arrow = (to: string | undefined, icon: 'back' | 'forward', none: string) => (
    <button
      type="button"
      aria-label={to === undefined ? none : monthName(to)}
      disabled={to === undefined}
      onClick={() => to !== undefined && onChange(to)}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has borders and a legend of its own
    <div className="month-picker" role="group" aria-label="Month">
      {arrow(months[index + 1], 'back', 'There is no earlier month')}
      <select aria-label="Month" value={month} onChange={({ target }) => onChange(target.value)}>
        {months.map((each) => (
          <option key={each} value={each}>
            {monthName(each)}
            {each === months[0] ? ', so far' : ''}
          </option>
        ))}
      </select>
      {arrow(months[index - 1], 'forward', 'There is no later month')}
    </div>
  );
}
