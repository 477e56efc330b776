import type { FormEvent, ReactNode, RefObject } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField } from 'react-aria-components/TextField';

type TextInputProps = {
  readonly label: string;
  readonly name?: string;
  readonly hint?: ReactNode;
  readonly value?: string;
  readonly initial?: string;
  readonly onChange?: (value: string) => void;
  readonly type?: 'text' | 'url' | 'password';
  /** Shows a numeric keyboard. */
  readonly numeric?: boolean;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Number of lines; one by default. */
  readonly rows?: number;
  readonly isCode?: boolean;
  /** Returns what is wrong with a value; undefined for a valid one. */
  readonly check?: (value: string) => string | undefined;
  /** At the end of the line. */
  readonly after?: ReactNode;
};

/** A labelled line or field of text. */
export function TextInput(props: TextInputProps) {
  const { label, hint, initial, value, numeric, placeholder = '', rows, isCode, check, after, ...others } = props;
  const { type = 'text', ...rest } = others;
  const className = isCode ? 'input code' : 'input';
  return (
    <TextField
      className="field"
      {...rest}
      type={type}
      autoComplete="off"
      {...(value === undefined ? {} : { value })}
      {...(initial === undefined ? {} : { defaultValue: initial })}
      {...(numeric ? { inputMode: 'numeric' as const } : {})}
      {...(check === undefined ? {} : { validate: (text: string) => check(text) ?? null })}
    >
      <Label className="label">{label}</Label>
      {rows === undefined ? (
        <div className="input-line">
          <Input className={className} placeholder={placeholder} onInput={judgeAgain} />
          {after}
        </div>
      ) : (
        <TextArea className={className} rows={rows} placeholder={placeholder} spellCheck={false} onInput={judgeAgain} />
      )}
      {hint === undefined ? null : (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  );
}

/**
 * Validates an invalid field again on each keystroke. If its error only disappeared when the field is left, a button that is
 * being pressed would move away under the pointer.
 */
function judgeAgain({ currentTarget }: FormEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (currentTarget.ariaInvalid === 'true') currentTarget.dispatchEvent(new Event('change'));
}

type FileInputProps = {
  readonly label: string;
  readonly hint: string;
  readonly accept: string;
  readonly onText: (text: string) => void;
};

/** Reads a file as text, each time one is chosen. */
export function FileInput({ label, hint, accept, onText }: FileInputProps) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <input
        type="file"
        accept={accept}
        onChange={({ target }) => {
          void target.files?.[0]?.text().then(onText);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      <span className="hint">{hint}</span>
    </label>
  );
}

type HiddenFileInputProps = Omit<FileInputProps, 'hint'> & {
  /** Pressed to choose a file. */
  readonly input: RefObject<HTMLInputElement | null>;
};

/** Reads a file as text, each time one is chosen with a button or an item of a menu, which presses it. */
export function HiddenFileInput({ input, label, accept, onText }: HiddenFileInputProps) {
  return (
    <input
      ref={input}
      type="file"
      aria-label={label}
      tabIndex={-1}
      className="only-read"
      accept={accept}
      onChange={({ target }) => {
        void target.files?.[0]?.text().then(onText);
        // So that the same file can be chosen again.
        target.value = '';
      }}
    />
  );
}
