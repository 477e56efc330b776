import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CreatedApiKey, ApiKeyItem as Item } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { apiKeysQuery } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { useSave } from '../../api/use-save.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { momentText } from '../../parts/text/moment-text.ts';
import { ApiKeyFacts } from './api-key-facts.tsx';
import { KeySettingsForm } from './key-settings-form.tsx';
import { ReplaceKey } from './replace-key.tsx';

type ApiKeyItemProps = { readonly apiKey: Item; readonly onReplaced: (created: CreatedApiKey) => void };

type KeyState = Pick<Item, 'name' | 'disabled' | 'rules'>;

function settingsOf({ name, disabled, rules, etag }: Item) {
  return { settings: { name, disabled, rules } satisfies KeyState, etag };
}

/** An apiKey with its actions. */
export function ApiKeyItem({ apiKey, onReplaced }: ApiKeyItemProps) {
  const { apiKeyId, name, disabled, isOwn, createdAt, expiresAt } = apiKey;
  const paymaster = usePaymaster();
  const [isChanging, setChanging] = useState(false);
  const params = { paymasterId: paymaster.paymasterId };
  const client = useQueryClient();
  const update = useSave({
    readNow: async () => {
      const keys = await client.fetchQuery({ ...apiKeysQuery(paymaster), staleTime: 0 });
      return settingsOf(keys.find((key) => key.apiKeyId === apiKeyId) ?? apiKey);
    },
    write: (settings: KeyState, headers) =>
      routes.paymaster.updateApiKey({ headers, params, body: { apiKeyId, ...settings } }),
  });
  // As the form was opened.
  const [seen, setSeen] = useState(() => settingsOf(apiKey));
  const end = useMutation({
    mutationFn: () => routes.paymaster.endApiKey({ headers: {}, params, body: { apiKeyId } }),
  });
  const isReplaced = expiresAt !== undefined;
  const made = momentText(createdAt);
  return (
    <div className="stack">
      <div className="page-head">
        <ApiKeyFacts apiKey={apiKey} />
        <div className="actions">
          {isReplaced ? null : (
            <>
              <Button
                label={`Change ${name}`}
                isExpanded={isChanging}
                onPress={() => {
                  setSeen(settingsOf(apiKey));
                  setChanging(!isChanging);
                }}
              >
                Change
              </Button>
              <Button
                needs={['manage']}
                label={disabled ? `Enable ${name}` : `Disable ${name}`}
                isPending={update.isPending}
                onPress={() => {
                  const now = settingsOf(apiKey);
                  update.mutate({ seen: now, mine: { ...now.settings, disabled: !disabled } });
                }}
              >
                {disabled ? 'Enable' : 'Disable'}
              </Button>
              <ReplaceKey apiKey={apiKey} onReplaced={onReplaced} />
            </>
          )}
          {isOwn && !isReplaced ? null : (
            <ConfirmButton
              text="End"
              needs={['manage']}
              label={isReplaced ? `End the replaced API key of ${made}` : `End ${name}`}
              title={isReplaced ? 'End the replaced API key now?' : `End the API key “${name}”?`}
              confirm="End API key"
              isPending={end.isPending}
              onConfirm={() => end.mutate()}
            >
              Applications that still use it are refused immediately. This cannot be undone.
            </ConfirmButton>
          )}
        </div>
      </div>
      {isChanging ? (
        <KeySettingsForm
          settings={seen.settings}
          submit="Save changes"
          action={update}
          onSubmit={(settings) =>
            update.mutate({ seen, mine: { ...seen.settings, ...settings } }, { onSuccess: () => setChanging(false) })
          }
        />
      ) : null}
      <Problem error={(isChanging ? null : update.error) ?? end.error} />
    </div>
  );
}
