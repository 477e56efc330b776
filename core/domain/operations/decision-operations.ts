import type { Owned } from '../access/owned.ts';
import type { Decision, DecisionFilter, DecisionMethod, DecisionPage, Explanation } from '../decision.ts';
import type { OperationLife } from '../operation-life.ts';
import type { Result } from '../result/result.ts';
import type { SponsorshipContext } from '../sponsorship.ts';
import type { UsageQuery, UsageRow } from '../usage.ts';
import type { RawUserOperation } from '../user-operation.ts';

/** What was decided, what would be, and what it came to. */
export type DecisionOperations = {
  /** What was decided for the paymaster, newest first: 1 to 200 of them (50 by default), from `cursor` on. */
  listDecisions(
    input: Owned & { filter: DecisionFilter; cursor?: string; limit?: number },
  ): Promise<Result<DecisionPage>>;
  /** `DECISION_NOT_FOUND` for another paymaster's too, and once it is pruned. */
  getDecision(input: Owned & { decisionId: string }): Promise<Result<Decision>>;
  /** What became of an operation that was signed. `OPERATION_NOT_FOUND` for another paymaster's too. */
  getOperation(input: Owned & { userOperationHash: string }): Promise<Result<OperationLife>>;
  /**
   * What the request would be answered now, and why. Holds and signs nothing; asks the webhooks only with `askWebhooks`,
   * else takes them to agree. `entryPoint` goes with the two methods of ERC-7677. `API_KEY_NOT_FOUND`.
   */
  explainSponsorship(
    input: Owned & {
      method: DecisionMethod;
      userOperation: RawUserOperation;
      context: SponsorshipContext;
      entryPoint?: string;
      askWebhooks: boolean;
      /** Whom to explain it to: who holds this apiKey, else the paymaster's own. */
      apiKeyId?: string;
      /** From where; what is not given is taken to be allowed. */
      origin?: string;
      address?: string;
    },
  ): Promise<Result<Explanation>>;
  /** What was decided and spent, told apart by one thing. The last 30 days when no days are given; at most 366. */
  getUsage(input: Owned & UsageQuery): Promise<Result<readonly UsageRow[]>>;
};
