import { type ReactNode, useId } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly onChange: (value: Value) => void;
  /** The label is only for screen readers, since the context shows it. */
  readonly isLabelHidden?: boolean;
};

/** A choice with the browser's own select, which phones and screen readers handle best. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, hint, value, options, onChange, isLabelHidden = false } = props;
  const id = useId();
  const hintId = useId();
  return (
    <div className="field">
      <label className={isLabelHidden ? 'only-read' : 'label'} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="input"
        aria-describedby={hint === undefined ? undefined : hintId}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <span id={hintId} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}

type CheckProps = {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange?: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
};

/** A checkbox. */
export function Check({ children, ...rest }: CheckProps) {
  return (
    <Checkbox className="check" {...rest}>
      <span className="box" aria-hidden="true" />
      <span className="check-text">{children}</span>
    </Checkbox>
  );
}
