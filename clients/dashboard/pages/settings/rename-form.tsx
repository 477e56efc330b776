import { maxNameLength } from '@tollfree/contract/limits';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { FieldForm } from '../../parts/field-form.tsx';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { useChangePaymaster } from './use-change-paymaster.ts';

/** Gives the paymaster another name. */
export function RenameForm() {
  const paymaster = usePaymaster();
  const [name, setName] = useState(paymaster.name);
  const rename = useChangePaymaster(paymaster);
  return (
    <FieldForm
      error={rename.error}
      onSubmit={() => {
        rename.mutate({ name: name.trim() }, { onSuccess: () => toast('Paymaster renamed.') });
      }}
    >
      <TextInput
        label="Name"
        name="name"
        hint="Such as the application’s name. Addresses and keys stay unchanged."
        isRequired
        maxLength={maxNameLength}
        value={name}
        onChange={setName}
      />
      <div className="actions">
        <Button
          type="submit"
          needs={['manage']}
          isDisabled={name.trim() === paymaster.name}
          isPending={rename.isPending}
        >
          Rename
        </Button>
      </div>
    </FieldForm>
  );
}
