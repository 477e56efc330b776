import { useState } from 'react';
import type { RulesProps } from './changed-rule.tsx';
import { policySchema } from './field-schema.ts';
import { LimitRules } from './limit-rules.tsx';
import type { LimitUses } from './limit-use.tsx';
import { WhatRules, WhoRules } from './what-and-who.tsx';
import { WholeField } from './whole-field.tsx';

/** The fields that are seldom set, by topic. Fields in none of these groups, nor in a sentence, come last. */
const folds = [
  { title: 'When', names: ['notBefore', 'notAfter', 'pauses'], unset: 'Always' },
  {
    title: 'What users pay',
    names: ['userPaysPercent', 'thenPayInToken', 'tokens'],
    unset: 'Nothing, or all of it in a token',
  },
] as const;
const expert = {
  title: 'For experts',
  names: ['relay', 'maxFeePerGas', 'maxGasPerOperation', 'methodGas', 'maxPreVerificationGas', 'maxValiditySeconds'],
  unset: 'Everything as usual',
} as const;
const inSentences = [
  ...['sponsorAllCalls', 'allowAccountDeployment', 'allowRevertingOperations', 'callRules'],
  ...['limits', 'maxCostPerOperation', 'accounts', 'requireTicket', 'allowedSenders', 'blockedSenders'],
];
const known: ReadonlySet<string> = new Set([...folds.flatMap(({ names }) => names), ...expert.names, ...inSentences]);

type PolicyFieldsProps = RulesProps & {
  /** Fields that do not apply to this policy. */
  readonly omit: readonly string[];
  readonly uses: LimitUses | undefined;
  /** What fields of the draft mean, in sentences. */
  readonly describe: (names: readonly string[]) => readonly string[];
};

/** All settings of a policy: rules as sentences, and folds with their current meaning. */
export function PolicyFields({ omit, describe, uses, ...props }: PolicyFieldsProps) {
  const others = Object.keys(policySchema.properties ?? {}).filter((name) => !known.has(name));
  return (
    <>
      <WhatRules {...props} />
      <LimitRules {...props} uses={uses} />
      <WhoRules {...props} />
      {[...folds, { ...expert, names: [...expert.names, ...others] }].map(({ title, names, unset }) => {
        const shown = names.filter((name) => !omit.includes(name));
        return <Fold key={title} {...props} title={title} names={shown} text={describe(shown).join(' ') || unset} />;
      })}
    </>
  );
}

type FoldProps = RulesProps & {
  readonly title: string;
  readonly names: readonly string[];
  readonly text: string;
};

function Fold({ title, names, text, ...props }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="fold" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
        <span className="muted">{text}</span>
      </summary>
      <div className="form">
        {isOpen ? names.map((name) => <WholeField key={name} {...props} name={name} />) : null}
      </div>
    </details>
  );
}
