import { useMutation } from '@tanstack/react-query';
import type { PolicyItem, PolicyPreviewItem } from '@tollfree/contract/policy';
import { type ReactNode, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import type { AuditLogFilters } from '../../api/audit-log.ts';
import { othersChange } from '../../api/use-save.ts';
import { Placeholder } from '../../parts/loaded.tsx';
import { Notice, Problem } from '../../parts/problem.tsx';
import { counted } from '../../parts/text/counted.ts';
import { Bounds } from './bounds.tsx';
import { ChangedByOthers } from './changed-by-others.tsx';
import { describeFields, describePolicy } from './describe-policy.ts';
import { policySchema } from './field-schema.ts';
import { useLimitUses } from './limit-use.tsx';
import { takeBack } from './logged-policy.ts';
import { PolicyBeginnings } from './policy-beginnings.tsx';
import type { PolicyDraft } from './policy-draft.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicyHistory } from './policy-history.tsx';
import { PolicyJson } from './policy-json.tsx';
import { PolicyPreview } from './policy-preview.tsx';
import { SaveBar } from './save-bar.tsx';
import { lastShownPolicy } from './shown-policy.ts';
import { usePolicyDraft } from './use-policy-draft.ts';
import { usePolicyNames } from './use-policy-names.ts';
import { usePreview } from './use-preview.ts';

/** A part of a policy’s page that only some policies have. */
export type PolicyTab = { readonly title: string; readonly content: ReactNode };

type PolicyEditorProps = {
  /** Names the policy among all of the account's, for its draft. */
  readonly name: string;
  readonly policy: PolicyItem;
  /** Fields that do not apply to this policy. */
  readonly omit?: readonly string[];
  /** The id of a named policy. */
  readonly policyId?: string;
  /** The changes of this policy in the audit log. */
  readonly logged: AuditLogFilters;
  /** The service validates what is proposed. */
  readonly preview: (proposed: PolicyDraft) => Promise<PolicyPreviewItem>;
  /** Saves what is proposed if the policy is still the shown one. Resolves to the saved policy. */
  readonly save: (proposed: PolicyDraft) => Promise<PolicyItem>;
  /** Above the rules. */
  readonly children?: ReactNode;
  readonly tabs?: readonly PolicyTab[];
};

/**
 * A policy in tabs: its rules as sentences with fields in them, its history, and its JSON. A preview on the decisions of the last
 * week and the bar that saves follow each change. Only the service validates it. It may know more fields and values than this
 * page: these are sent back unchanged.
 */
export function PolicyEditor({ name, policy, omit = [], logged, children, tabs = [], ...calls }: PolicyEditorProps) {
  const uses = useLimitUses(calls.policyId, policy);
  const state = usePolicyDraft(name, policy);
  const { draft, begin, proposed, isEdited } = state;
  const preview = usePreview(name, proposed, isEdited, calls.preview);
  const save = useMutation({ mutationFn: calls.save, onSuccess: state.beginWith });
  const isOld = preview.isPlaceholderData || preview.isFetching;
  const [tab, setTab] = useState('Rules');
  const names = usePolicyNames();
  const verdict = isEdited ? (
    <PolicyPreview
      preview={preview.data}
      isOld={isOld}
      error={preview.error}
      draft={draft}
      proposed={proposed}
      onChange={begin}
    />
  ) : null;
  return (
    <div className="stack">
      <Tabs className="tabs" selectedKey={tab} onSelectionChange={(key) => setTab(String(key))}>
        <div className="tabs-head">
          <TabList className="tab-list" aria-label="Parts of the policy">
            {['Rules', 'History', 'JSON', ...tabs.map(({ title }) => title)].map((title) => (
              <Tab key={title} id={title} className="tab">
                {title}
              </Tab>
            ))}
          </TabList>
          <PolicyBeginnings
            draft={draft}
            onBegin={(next) => {
              begin(next);
              setTab('Rules');
            }}
          />
        </div>
        <TabPanel id="Rules" className="stack">
          {children}
          <Bounds draft={draft} onChange={begin} />
          {verdict}
          <PolicyFields
            key={state.beginning}
            draft={draft}
            saved={policy}
            omit={omit}
            uses={uses}
            describe={(fields) => describeFields(draft, fields, names)}
            onChange={state.setDraft}
          />
          <ForeignFields policy={policy} />
        </TabPanel>
        <TabPanel id="History">
          <PolicyHistory
            filters={logged}
            onTakeBack={(change) => {
              begin(takeBack(draft, change));
              setTab('Rules');
            }}
          />
        </TabPanel>
        <TabPanel id="JSON" className="stack">
          {verdict}
          <PolicyJson key={state.beginning} draft={draft} onChange={state.setDraft} />
        </TabPanel>
        {tabs.map(({ title, content }) => (
          <TabPanel key={title} id={title}>
            {content}
          </TabPanel>
        ))}
      </Tabs>
      {isEdited ? (
        <SaveBar
          title={counted(state.ownChanges, 'change')}
          isKept={state.isKept}
          before={describePolicy(policy, names)}
          after={describePolicy(proposed, names)}
          verdict={
            isOld || preview.data === undefined
              ? undefined
              : { refused: preview.data.cutOff.length, tried: preview.data.replayed }
          }
          isSaving={save.isPending}
          onSave={() => save.mutate(proposed)}
          onDiscard={() => {
            save.reset();
            state.beginWith(policy);
          }}
        >
          {state.isOther ? (
            <ChangedByOthers
              rules={state.rules}
              seen={state.seen}
              saved={policy}
              refusal={save.error}
              logged={logged}
              choices={state.choices}
              onChoose={state.setChoices}
            />
          ) : null}
          <TicketsNeeded proposed={proposed} />
          <Problem error={state.isOther && othersChange(save.error) ? null : save.error} />
        </SaveBar>
      ) : null}
    </div>
  );
}

function TicketsNeeded({ proposed: { requireTicket, limits } }: { readonly proposed: PolicyDraft }) {
  const isPerUser = Array.isArray(limits) && limits.some((limit) => (limit as PolicyDraft).per === 'SUBJECT');
  if (requireTicket === true || !isPerUser) return null;
  return (
    <p className="warn-text">
      A limit per user of a ticket needs tickets: say that a ticket is needed, and add a key on the page Tickets.
    </p>
  );
}

/** Says which settings this page does not know. */
function ForeignFields({ policy: { etag: _, ...policy } }: { readonly policy: PolicyItem }) {
  const foreign = Object.keys(policy).filter((field) => policySchema.properties?.[field] === undefined);
  if (foreign.length === 0) return null;
  return (
    <Notice>It also has settings that this page does not support: {foreign.join(', ')}. They stay unchanged.</Notice>
  );
}

/** As high as the page of a policy that is loading: as it was when it was shown last. */
export function PolicyPlaceholder({ name }: Pick<PolicyEditorProps, 'name'>) {
  const policy = lastShownPolicy(name);
  return (
    <Placeholder>
      <PolicyEditor
        name="sample"
        policy={policy}
        logged={{}}
        preview={() => Promise.reject(new Error('It is a sample.'))}
        save={async () => policy}
      />
    </Placeholder>
  );
}
