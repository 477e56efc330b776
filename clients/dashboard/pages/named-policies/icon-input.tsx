import { useId, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { readIcon } from './read-icon.ts';

export type IconInputProps = {
  /** A data URI; undefined for none. */
  readonly icon: string | undefined;
  readonly onChange: (icon: string | undefined) => void;
};

/** Takes a picture from a file. */
export function IconInput({ icon, onChange }: IconInputProps) {
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const take = async (file: File) => {
    const read = await readIcon(file).catch(() => undefined);
    setRefused(read === undefined);
    if (read !== undefined) onChange(read);
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Picture
      </label>
      {icon === undefined ? null : <img src={icon} alt="Current icon" className="policy-icon" />}
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/svg+xml"
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void take(file);
          target.value = '';
        }}
      />
      <span id={`${id}-hint`} className="hint">
        Wallets can show it to the sponsored user. Large pictures are scaled down.
      </span>
      <span role="alert" className="field-error">
        {isRefused ? 'This picture cannot be used. Choose a PNG, JPEG, GIF, WebP or small SVG.' : ''}
      </span>
      {icon === undefined ? null : (
        <div>
          <Button onPress={() => onChange(undefined)}>Remove picture</Button>
        </div>
      )}
    </div>
  );
}
