import { Segments } from './segments.tsx';
import type { Days } from './text/days.ts';
import { TextInput } from './text-input.tsx';

type RangeFieldProps<Preset extends string> = {
  readonly presets: readonly { readonly value: Preset; readonly text: string }[];
  readonly value: Preset | 'custom';
  /** The current days, the initial value of a custom range. */
  readonly days: Days;
  readonly onChange: (value: Preset | 'custom', days: Days) => void;
};

/** A time range: a number of days back from now, or from one day to another. */
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
