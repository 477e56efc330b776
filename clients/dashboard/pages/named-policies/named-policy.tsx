import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import type { PolicyItem } from '@tollfree/contract/policy';
import { useState } from 'react';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { ifMatch, useSave } from '../../api/use-save.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Placeholder } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { toast } from '../../parts/toast.tsx';
import { Value } from '../../parts/value.tsx';
import { noCall, ProgramTabs, useFilled, useFirstCall } from '../paymasters/program-tabs.tsx';
import { HeadForm } from '../policy/head-form.tsx';
import { PolicyChips } from '../policy/policy-chips.tsx';
import type { PolicyDraft } from '../policy/policy-draft.ts';
import { PolicyEditor } from '../policy/policy-editor.tsx';
import { lastShownPolicy } from '../policy/shown-policy.ts';
import { previewQuery } from '../policy/use-preview.ts';
import { OpenBadge } from './named-policies-page.tsx';

/** Fields that only the default policy has. */
const omit = ['ignoreForeignPolicyIds'];

/** A named policy: how requests choose it, its content, and whether it can be chosen. */
export function NamedPolicy({ policy: item }: { readonly policy: NamedPolicyItem }) {
  const { policyId, name, policy } = item;
  const paymaster = usePaymaster();
  const headers = headersOf(paymaster);
  const replaceHead = useReplacePolicy(policyId);
  const [seen, setSeen] = useState(() => settingsOf(item));
  const save = async (proposed: PolicyDraft) => {
    // The service validates it.
    const body = { ...settingsOf(item).settings, policy: proposed as PolicyItem };
    const saved = await routes.namedPolicy.replace({
      headers: { ...headers, ...ifMatch(item.etag) },
      params: { policyId },
      body,
    });
    toast('Policy saved.');
    return saved.policy;
  };
  const { paymasterId } = paymaster;
  return (
    <Page
      title={name}
      lead={
        <>
          {item.description ?? 'Requests choose it by its id.'}{' '}
          <Link to="/paymasters/$paymasterId/policies" params={{ paymasterId }}>
            Back to the policies
          </Link>
        </>
      }
    >
      <PolicyChips />
      <PolicyEditor
        name={policyId}
        policyId={policyId}
        policy={policy}
        omit={omit}
        logged={{ object: policyId, operation: 'replacePolicy' }}
        preview={(proposed) =>
          routes.namedPolicy.preview({
            headers,
            params: { policyId },
            query: previewQuery,
            body: proposed as PolicyItem,
          })
        }
        save={save}
        tabs={[
          {
            title: 'Appearance',
            content: (
              <Card title="For your users" lead="Wallets can show this to sponsored users.">
                <HeadForm
                  head={item}
                  submit="Save"
                  action={replaceHead}
                  onSubmit={(head) => {
                    const mine = {
                      ...seen.settings,
                      description: undefined,
                      author: undefined,
                      icon: undefined,
                      ...head,
                    };
                    replaceHead.mutate({ seen, mine }, { onSuccess: (saved) => setSeen(settingsOf(saved)) });
                  }}
                />
              </Card>
            ),
          },
          {
            title: 'Delete',
            content: (
              <Card title="Delete">
                <DeletePolicy policy={item} />
              </Card>
            ),
          },
        ]}
      >
        <Card title="Availability">
          <OpenPolicy policy={item} />
        </Card>
        <details className="fold">
          <summary>
            <h2>Using this policy</h2>
            <span className="muted">The program of the page Connect, with its id</span>
          </summary>
          <div className="stack">
            <Programs policyId={policyId} requiresTicket={policy.requireTicket} />
          </div>
        </details>
      </PolicyEditor>
    </Page>
  );
}

/** As high as the page of a named policy that is loading: as it was when it was shown last. */
export function NamedPolicyPlaceholder({ policyId }: Pick<NamedPolicyItem, 'policyId'>) {
  const policy = lastShownPolicy(policyId);
  return (
    <Placeholder>
      <NamedPolicy policy={{ policyId, name: 'Named policy', enabled: true, policy, createdAt: 0, updatedAt: 0 }} />
    </Placeholder>
  );
}

type ProgramsProps = { readonly policyId: string; readonly requiresTicket: boolean };

function Programs({ policyId, requiresTicket }: ProgramsProps) {
  return <ProgramTabs filled={useFilled({ call: useFirstCall() ?? noCall, requiresTicket, policyId })} />;
}

/** Deletes a named policy, and returns to the list. */
function DeletePolicy({ policy: { policyId, name } }: { readonly policy: NamedPolicyItem }) {
  const paymaster = usePaymaster();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => routes.namedPolicy.delete({ headers: headersOf(paymaster), params: { policyId } }),
    onSuccess: async () => {
      const { paymasterId } = paymaster;
      await navigate({ to: '/paymasters/$paymasterId/policies', params: { paymasterId } });
    },
  });
  return (
    <div className="stack">
      <p>Close it instead if you may need it again. Deleting it also deletes the usage of its limits.</p>
      <div className="actions">
        <ConfirmButton
          text="Delete policy"
          needs={['manage']}
          title={`Delete the policy “${name}”?`}
          confirm="Delete permanently"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        >
          Requests that choose it are refused from now on. This cannot be undone.
        </ConfirmButton>
      </div>
      <Problem error={remove.error} />
    </div>
  );
}

/** Opens a named policy to requests, and closes it. */
function OpenPolicy({ policy }: { readonly policy: NamedPolicyItem }) {
  const { policyId, enabled, policy: rules } = policy;
  const replace = useReplacePolicy(policyId);
  const seen = settingsOf(policy);
  const who = rules.requireTicket ? 'any caller with a valid ticket' : 'any caller who knows this paymaster’s URL';
  return (
    <div className="stack">
      <p>
        <OpenBadge isOpen={enabled} /> <Value text={policyId} what="policy id" />
      </p>
      <p>
        {enabled
          ? `By its id, ${who} can choose it.`
          : 'Requests that choose it are refused. The default policy is not used instead.'}
      </p>
      <div className="actions">
        <Button
          needs={['manage']}
          kind={enabled ? 'plain' : 'primary'}
          isPending={replace.isPending}
          onPress={() => replace.mutate({ seen, mine: { ...seen.settings, enabled: !enabled } })}
        >
          {enabled ? 'Close it' : 'Open it'}
        </Button>
      </div>
      <Problem error={replace.error} />
    </div>
  );
}

/** What a named policy can be replaced with. */
function settingsOf({ policyId: _, createdAt: __, updatedAt: ___, etag, ...settings }: NamedPolicyItem) {
  return { settings, etag };
}

/** Changes part of a named policy, which is sent as a whole. */
function useReplacePolicy(policyId: string) {
  const headers = headersOf(usePaymaster());
  const params = { policyId };
  return useSave({
    readNow: async () => settingsOf(await routes.namedPolicy.read({ headers, params })),
    write: (body: ReturnType<typeof settingsOf>['settings'], version) =>
      routes.namedPolicy.replace({ headers: { ...headers, ...version }, params, body }),
    onSuccess: () => toast('Policy saved.'),
  });
}
