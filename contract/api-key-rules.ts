import { z } from 'zod';
import { exactly, must } from './fields/exactly.ts';
import { withObjectForm } from './fields/form.ts';
import { maxKeyBurst, maxKeyRate, maxKeyRuleLength, maxKeyRules } from './limits.ts';
import { documentedMethods } from './openapi/documented-methods.ts';
import { limitForm, listOf, plainLimit, textUpTo, wholeNumber } from './policy-fields.ts';

function texts(what: string) {
  return listOf(textUpTo(maxKeyRuleLength), maxKeyRules).default([]).describe(what);
}

const methodNames = [...new Set(documentedMethods.map(({ method }) => method))];

/** A limit of an apiKey counts everything sponsored with the key, so its scope is implicit in the core. */
const keyLimit = withObjectForm(
  plainLimit.refine(({ per }) => per === 'TOTAL', { path: ['per'], ...must('must be TOTAL') }),
  {
    read: (fields) => {
      const { per: _, ...limit } = limitForm.read(fields);
      return limit;
    },
    write: (limit) => limitForm.write({ per: 'total', ...limit }),
  },
);

/** Restrictions of an apiKey, in addition to the policy of its paymaster. */
export const ApiKeyRulesSchema = exactly({
  origins: texts(
    'Origins that may send requests, as browsers name them in `Origin`: `https://app.example.com`, or `https://*.example.com` for all subdomains. Only browsers enforce this.',
  ),
  networks: texts('IP addresses that may send requests: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`.'),
  methods: z
    .array(z.enum(methodNames, must('must be a method of the RPC endpoint')), must('must be an array'))
    .default([])
    .describe('Methods of the RPC endpoint that the key may use.'),
  rate: exactly({ perSecond: wholeNumber(1, maxKeyRate), burst: wholeNumber(1, maxKeyBurst) })
    .optional()
    .describe('Requests per second, and burst.'),
  limits: listOf(keyLimit, maxKeyRules)
    .default([])
    .describe('The most that is sponsored with the key in each window. Works like the limits of a policy.'),
}).describe(
  'What the key is restricted to, in addition to the policy of its paymaster. An empty list restricts nothing.',
);
export type ApiKeyRulesItem = z.infer<typeof ApiKeyRulesSchema>;
