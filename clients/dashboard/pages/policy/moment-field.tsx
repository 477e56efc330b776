import { useId } from 'react';

export type MomentFieldProps = {
  readonly label: string;
  /** Unix seconds. */
  readonly value: unknown;
  readonly onChange: (value: number | undefined) => void;
};

/** A time on the reader's clock; empty for none. */
export function MomentField({ label, value, onChange }: MomentFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="datetime-local"
        className="input"
        value={typeof value === 'number' ? toLocal(value) : ''}
        onChange={({ target }) => {
          const at = new Date(target.value).getTime() / 1_000;
          onChange(Number.isNaN(at) ? undefined : at);
        }}
      />
    </div>
  );
}

function toLocal(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
