import { Segments } from './segments.tsx';
import { TextInput } from './text-input.tsx';

/** UTC days, both included, `YYYY-MM-DD`. */
export type Days = { readonly from: string; readonly until: string };

export type RangeFieldProps<Preset extends string> = {
  readonly presets: readonly { readonly value: Preset; readonly text: string }[];
  readonly value: Preset | 'custom';
  /** The days that are shown, which a range of one's own begins with. */
  readonly days: Days;
  readonly onChange: (value: Preset | 'custom', days: Days) => void;
};

/** A time in days back from now, or from one day to another. */
export function RangeField<Preset extends string>({ presets, value, days, onChange }: RangeFieldProps<Preset>) {
  return (
    <div className="form-row">
      <Segments
        label="Time"
        value={value}
        options={[...presets, { value: 'custom', text: 'Custom' }]}
        onChange={(next) => onChange(next, days)}
      />
      {value === 'custom' ? (
        <div className="actions">
          <TextInput
            label="From"
            type="date"
            value={days.from}
            onChange={(from) => onChange(value, { ...days, from })}
          />
          <TextInput
            label="Until"
            type="date"
            value={days.until}
            onChange={(until) => onChange(value, { ...days, until })}
          />
        </div>
      ) : null}
    </div>
  );
}

/** The last days up to today. */
export function lastDays(count: number): Days {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  return { from: day(count - 1), until: day(0) };
}

export function isDay(text: unknown): text is string {
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
