import { type DragEvent, useState } from 'react';
import { TextInput } from '../../parts/text-input.tsx';

type AbiInputProps = { readonly value: string; readonly onChange: (text: string) => void };

/** An input for an ABI: pasted, dropped as a file, or chosen as one. */
export function AbiInput({ value, onChange }: AbiInputProps) {
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined) => {
    if (file !== undefined) onChange(await file.text());
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way of three, the other two have controls
    <div
      className="drop stack"
      data-over={isOver}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take(event.dataTransfer.files[0]);
      }}
    >
      <TextInput
        label="ABI"
        hint="Paste the JSON, or drop the compiler’s output file here."
        isRequired
        isCode
        rows={6}
        value={value}
        onChange={onChange}
      />
      <label className="small">
        Or choose a file:{' '}
        <input
          type="file"
          accept=".json,.abi,application/json"
          onChange={({ target }) => {
            void take(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
    </div>
  );
}
