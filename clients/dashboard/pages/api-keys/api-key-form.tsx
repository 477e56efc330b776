import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/data-of.ts';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { type KeySettings, KeySettingsForm } from './key-settings-form.tsx';
import { ShownKey } from './shown-key.tsx';

/** Makes one more apiKey and shows it, this once. */
export function ApiKeyForm() {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const [made, setMade] = useState(0);
  const params = { paymasterId: paymaster.paymasterId };
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: KeySettings) => dataOf(routes.paymaster.createApiKey({ headers: {}, params, body })),
    // The form of the next one is empty.
    onSuccess: () => setMade(made + 1),
    onSettled: () => client.invalidateQueries(apiKeysQuery(paymaster)),
  });
  return (
    <div className="stack">
      <KeySettingsForm
        key={made}
        submit="Create apiKey"
        isPending={create.isPending}
        error={create.error}
        onSubmit={create.mutate}
      />
      <div role="status">
        {create.data === undefined ? null : <ShownKey created={create.data} onDone={create.reset} />}
      </div>
    </div>
  );
}
