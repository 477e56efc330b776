type InLineProps = {
  /** The label for screen readers: the sentence around it says it to everyone else. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** It differs from what is saved. */
  readonly isChanged?: boolean;
};

function classOf({ isChanged = false }: Pick<InLineProps, 'isChanged'>): string {
  return isChanged ? 'in-line is-changed' : 'in-line';
}

type InLineChoiceProps = InLineProps & {
  readonly options: readonly { readonly value: string; readonly text: string }[];
};

/** A choice inside a sentence. */
export function InLineChoice({ label, value, options, onChange, ...rest }: InLineChoiceProps) {
  return (
    <select
      className={classOf(rest)}
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}

type InLineTextProps = InLineProps & { readonly placeholder?: string };

/** A number or an amount inside a sentence. */
export function InLineText({ label, value, placeholder = '', onChange, ...rest }: InLineTextProps) {
  return (
    <input
      className={classOf(rest)}
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      size={Math.max(4, value.length, placeholder.length)}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
