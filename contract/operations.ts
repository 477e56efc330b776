import { auditLogOperations } from './access/audit-log.ts';
import { memberOperations } from './access/member.ts';
import { budgetOperations } from './budget.ts';
import { decisionOperations } from './decision.ts';
import { fundingOperations } from './funding.ts';
import { gasTankOperations } from './gas-tank.ts';
import { namedPolicyOperations } from './named-policy.ts';
import { notificationOperations } from './notification-routes.ts';
import type { Operation } from './operation.ts';
import { operatorOperations } from './operator.ts';
import { overviewOperations } from './overview.ts';
import { paymasterOperations } from './paymaster.ts';
import { policyOperations } from './policy.ts';
import { authTokenOperations } from './sign-in/auth-token.ts';
import { sessionOperations } from './sign-in/session.ts';
import { smartContractOperations } from './smart-contract.ts';
import { explainOperations } from './sponsorship.ts';
import { ticketKeyOperations } from './ticket-key.ts';
import { usageOperations } from './usage.ts';
import { userOperationOperations } from './user-operation.ts';
import { webhookOperations } from './webhook.ts';

/** The management API (interface section 4, without the RPC method), by resource. */
export const managementOperations = {
  webhook: webhookOperations,
  paymaster: paymasterOperations,
  smartContract: smartContractOperations,
  funding: fundingOperations,
  gasTank: gasTankOperations,
  notification: notificationOperations,
  ticketKey: ticketKeyOperations,
  policy: policyOperations,
  namedPolicy: namedPolicyOperations,
  decision: decisionOperations,
  userOperation: userOperationOperations,
  sponsorship: explainOperations,
  usage: usageOperations,
  overview: overviewOperations,
  session: sessionOperations,
  authToken: authTokenOperations,
  member: memberOperations,
  budget: budgetOperations,
  auditLog: auditLogOperations,
  operator: operatorOperations,
} as const;
export type ManagementOperations = typeof managementOperations;

export const operationList: readonly Operation[] = Object.values(managementOperations).flatMap((resource) =>
  Object.values(resource as Readonly<Record<string, Operation>>),
);
