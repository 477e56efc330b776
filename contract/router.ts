import { initContract } from '@ts-rest/core';
import { auditLogRouter } from './access/audit-log.ts';
import { memberRouter } from './access/member.ts';
import { budgetRouter } from './budgets/budget.ts';
import { decisionRouter } from './decision.ts';
import { fundingRouter } from './funding.ts';
import { gasTankRouter } from './gas-tank.ts';
import { notificationRouter } from './notification-routes.ts';
import { paymasterRouter } from './paymaster.ts';
import { namedPolicyRouter } from './policies/named-policy.ts';
import { policyRouter } from './policy.ts';
import { authTokenRouter } from './sign-in/auth-token.ts';
import { sessionRouter } from './sign-in/session.ts';
import { smartContractRouter } from './smart-contract.ts';
import { sponsorshipRouter } from './sponsorship.ts';
import { ticketKeyRouter } from './tickets/ticket-key.ts';
import { usageRouter } from './usage.ts';
import { webhookRouter } from './webhook.ts';

export const managementPrefix = '/api/v2/public/sdk';

/** The management interface (interface section 4, without the RPC method) as a ts-rest contract. */
export const managementRouter = initContract().router(
  {
    webhook: webhookRouter,
    paymaster: paymasterRouter,
    smartContract: smartContractRouter,
    funding: fundingRouter,
    gasTank: gasTankRouter,
    notification: notificationRouter,
    ticketKey: ticketKeyRouter,
    policy: policyRouter,
    namedPolicy: namedPolicyRouter,
    decision: decisionRouter,
    sponsorship: sponsorshipRouter,
    usage: usageRouter,
    session: sessionRouter,
    authToken: authTokenRouter,
    member: memberRouter,
    budget: budgetRouter,
    auditLog: auditLogRouter,
  },
  { pathPrefix: managementPrefix },
);
export type ManagementRouter = typeof managementRouter;
