import type { PolicyPreviewItem } from '@tollfree/contract/policy';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { amountOfCoin, withCoinName } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { gweiText } from '../../parts/text/readable-amounts.ts';
import { ruleName } from '../../parts/text/rule-name.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { describeFields } from './describe-policy.ts';
import { identityOf } from './merge-policies.ts';
import type { PolicyDraft } from './policy-draft.ts';
import { usePolicyNames } from './use-policy-names.ts';

type RefusingRule = PolicyPreviewItem['rules'][number];

export type SuggestionsProps = {
  readonly draft: PolicyDraft;
  /** What the preview is about: the draft, with what others have changed meanwhile. */
  readonly proposed: PolicyDraft;
  readonly onChange: (draft: PolicyDraft) => void;
};

type Limit = Readonly<Record<string, unknown>>;

/** The limit of a proposed policy that a rule's field, such as `limits[0].max`, is about. */
function limitAt(policy: PolicyDraft, field: string): Limit | undefined {
  const index = /^limits\[(\d+)\]/.exec(field)?.[1];
  return index === undefined || !Array.isArray(policy.limits) ? undefined : policy.limits[Number(index)];
}

/** What a rule says, in words of the policy where it is about an amount. */
export function RuleTitle({ rule: { rule, field = '' }, proposed }: { rule: RefusingRule; proposed: PolicyDraft }) {
  const names = usePolicyNames();
  const limit = limitAt(proposed, field);
  const part = limit === undefined ? partOf(proposed, field) : { limits: [limit] };
  const sentence = describeFields(part, Object.keys(part), names).join(' ').replace(/\.$/, '');
  return sentence === '' ? withCoinName(ruleName(rule), names.chainId) : sentence;
}

/** A policy with nothing but one of its amounts. */
function partOf(policy: PolicyDraft, field: string): PolicyDraft {
  const [name = '', inner] = field.split('.');
  const value = policy[name];
  if (value === undefined) return {};
  return { [name]: inner === undefined ? value : { [inner]: (value as Limit)[inner] } };
}

/** A draft with another amount; undefined where it has no such rule of its own. */
export function withAmount(
  { draft, proposed }: Pick<SuggestionsProps, 'draft' | 'proposed'>,
  field: string,
  value: string,
): PolicyDraft | undefined {
  const limit = limitAt(proposed, field);
  if (limit !== undefined) {
    const limits: readonly Limit[] = Array.isArray(draft.limits) ? draft.limits : [];
    const index = limits.findIndex((each) => identityOf(each) === identityOf(limit));
    return index === -1 ? undefined : { ...draft, limits: limits.with(index, { ...limits[index], max: value }) };
  }
  const [name = '', inner] = field.split('.');
  if (inner !== undefined) return { ...draft, [name]: { ...(draft[name] as Limit | undefined), [inner]: value } };
  return { ...draft, [name]: typeof proposed[name] === 'number' ? Number(value) : value };
}

/** An amount with its unit. */
function amountOf(field: string, value: string, { limit, chainId }: { limit: Limit | undefined; chainId: number }) {
  if (field.endsWith('.usd') || limit?.unit === 'USD') return usdText(value);
  if (field.endsWith('.wei') || limit?.unit === 'WEI') return amountOfCoin(coinText(value), chainId);
  if (field === 'maxFeePerGas') return gweiText(value);
  return limit === undefined ? `${counted(Number(value), 'gas', 'gas')}` : counted(Number(value), 'operation');
}

/** Higher amounts with which a rule would refuse fewer, each a button that takes it into the draft. */
export function Suggestions({ rule, ...drafts }: SuggestionsProps & { readonly rule: RefusingRule }) {
  const { chainId } = usePaymaster();
  const { field = '', raised } = rule;
  const limit = limitAt(drafts.proposed, field);
  const offered = raised.flatMap(({ value, cutOff }) => {
    const draft = withAmount(drafts, field, value);
    return draft === undefined ? [] : [{ draft, cutOff, text: amountOf(field, value, { limit, chainId }) }];
  });
  if (offered.length === 0) return null;
  return (
    <p className="small muted">
      {offered.map(({ draft, cutOff, text }, index) => (
        <span key={text}>
          {index === 0 ? 'With ' : '; with '}
          <button type="button" className="link-button" onClick={() => drafts.onChange(draft)}>
            {text}
          </button>
          , {cutOff === 0 ? 'none would be refused' : cutOff}
        </span>
      ))}
      .
    </p>
  );
}
