import type { ApiKeyRulesItem } from '@tollfree/contract/api-key-rules';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { ApiKeyItem } from '@tollfree/contract/paymaster';
import type { ApiKeyRules } from '../../../core/domain/keys/api-key-rules.ts';
import type { ApiKeyRecord } from '../../../core/domain/paymaster.ts';
import { limitItem, readLimit } from './policy-json.ts';

/** What a request wants to bind a key to, as the contract's schema has read it. */
export function readKeyRules({ limits, rate, ...lists }: ApiKeyRulesItem): ApiKeyRules {
  return {
    ...lists,
    ...omitAbsent({ rate }),
    limits: limits.map((limit) => {
      const { per: _, ...rest } = readLimit(limit);
      return rest;
    }),
  };
}

/** An apiKey as it is answered; its rules taken as a request set the same rules. */
export function apiKeyItem({ rules, ...record }: ApiKeyRecord): ApiKeyItem {
  const { origins, networks, methods, rate, limits } = rules;
  const item = {
    ...{ origins: [...origins], networks: [...networks], methods: [...methods] },
    ...omitAbsent({ rate }),
    limits: limits.map((limit) => limitItem({ per: 'total', ...limit })),
  };
  return { ...record, rules: item as ApiKeyRulesItem }; // the names of methods were checked when it was set
}
