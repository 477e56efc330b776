import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/data-of.ts';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { type KeySettings, KeySettingsForm } from './key-settings-form.tsx';
import { ShownKey } from './shown-key.tsx';

/** Makes one more apiKey and shows it, this once. */
export function ApiKeyForm({ onDone }: { readonly onDone: () => void }) {
  const paymaster = usePaymaster();
  const client = useQueryClient();
  const params = { paymasterId: paymaster.paymasterId };
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: KeySettings) => dataOf(routes.paymaster.createApiKey({ headers: {}, params, body })),
    onSettled: () => client.invalidateQueries(apiKeysQuery(paymaster)),
  });
  if (create.data !== undefined) return <ShownKey created={create.data} onDone={onDone} />;
  return (
    <KeySettingsForm
      submit="Create API key"
      isPending={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
    />
  );
}
