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
