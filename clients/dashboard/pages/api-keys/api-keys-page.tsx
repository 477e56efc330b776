import { useMutation, useQuery } from '@tanstack/react-query';
import type { CreatedApiKey } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { ShownOnce } from '../../parts/panel.tsx';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Value } from '../../parts/value.tsx';
import { rpcUrl } from '../paymasters/rpc-url.ts';
import { ApiKeyItem } from './api-key-item.tsx';
import { type KeySettings, KeySettingsForm } from './key-settings-form.tsx';

/** The apiKeys of a paymaster, including its own. */
export function ApiKeysPage() {
  const keys = useQuery(apiKeysQuery(usePaymaster()));
  // The item of an immediately refused key no longer exists.
  const [created, setCreated] = useState<CreatedApiKey>();
  return (
    <Page
      title="API keys"
      lead="An API key is the last part of the RPC URL. Anyone who has it can request sponsorship, within your rules."
      actions={
        <PanelButton
          text="New API key"
          kind="primary"
          needs={['manage']}
          title="New API key"
          lead="Give each application its own key. You can then tell them apart and stop one without the others."
        >
          {(close) => <ApiKeyForm onDone={close} />}
        </PanelButton>
      }
    >
      <Card title="Keys" lead="A disabled key sponsors nothing until you enable it again. Ending a key is permanent.">
        <div role="status">
          {created === undefined ? null : <ShownKey created={created} onDone={() => setCreated(undefined)} />}
        </div>
        <Loaded query={keys}>
          {(list) => (
            <ul className="list">
              {list.map((apiKey) => (
                <li key={apiKey.apiKeyId}>
                  <ApiKeyItem apiKey={apiKey} onReplaced={setCreated} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

/** Creates another apiKey and shows it once. */
function ApiKeyForm({ onDone }: { readonly onDone: () => void }) {
  const paymaster = usePaymaster();
  const params = { paymasterId: paymaster.paymasterId };
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: KeySettings) => routes.paymaster.createApiKey({ headers: {}, params, body }),
  });
  if (create.data !== undefined) return <ShownKey created={create.data} onDone={onDone} />;
  return <KeySettingsForm submit="Create API key" action={create} onSubmit={create.mutate} />;
}

type ShownKeyProps = { readonly created: CreatedApiKey; readonly onDone: () => void };

/** A new apiKey to copy: except for the paymaster's own, it is shown only once. */
function ShownKey({ created: { name, apiKey, isOwn }, onDone }: ShownKeyProps) {
  const url = rpcUrl({ ...usePaymaster(), apiKey });
  return (
    <ShownOnce onDone={onDone}>
      <p>
        <strong>Copy the new API key “{name}” now.</strong>{' '}
        {isOwn ? 'The page Connect shows it from now on.' : 'It is shown only once.'}
      </p>
      <Facts
        facts={[
          ['API key', <Value key="key" text={apiKey} what="new API key" />],
          ['RPC URL', <Value key="url" text={url} what="new RPC URL" />],
        ]}
      />
      <p className="small">
        The RPC URL is the address that your application uses; the code on the page Connect contains it.
      </p>
    </ShownOnce>
  );
}
