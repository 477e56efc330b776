import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { maxWebhooks } from '@tollfree/contract/limits';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import type { ReadUsageQuery } from '@tollfree/contract/usage';
import { routes } from './routes.ts';

export function headersOf({ apiKey }: PaymasterItem): { apikey: string } {
  return { apikey: apiKey };
}

/** The common key prefix of all queries about one paymaster. */
export function keyOf({ paymasterId }: PaymasterItem, ...rest: readonly unknown[]): readonly unknown[] {
  return ['paymaster', paymasterId, ...rest];
}

export function apiKeysQuery(paymaster: PaymasterItem) {
  const { paymasterId } = paymaster;
  return queryOptions({
    queryKey: keyOf(paymaster, 'api-keys'),
    queryFn: () => routes.paymaster.listApiKeys({ headers: {}, params: { paymasterId } }),
  });
}

export function ticketKeysQuery(paymaster: PaymasterItem) {
  const { paymasterId } = paymaster;
  return queryOptions({
    queryKey: keyOf(paymaster, 'ticket-keys'),
    queryFn: () => routes.ticketKey.list({ headers: {}, params: { paymasterId } }),
  });
}

export function contractsQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'contracts'),
    queryFn: () => routes.smartContract.list({ headers: headersOf(paymaster) }),
  });
}

export function gasTankQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'gas-tank'),
    queryFn: () => routes.gasTank.read({ headers: headersOf(paymaster) }),
  });
}

export function gasTankEntriesQuery(paymaster: PaymasterItem) {
  return infiniteQueryOptions({
    queryKey: keyOf(paymaster, 'gas-tank', 'entries'),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      routes.gasTank.listEntries({ headers: headersOf(paymaster), query: { cursor, limit: '100' } }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The tank's last `days` days. The chart is updated with the `state` of the tank. */
export function tankDaysQuery(paymaster: PaymasterItem, days: number, state: string) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'gas-tank', 'days', days, state),
    queryFn: () => {
      const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
      return routes.gasTank.listDays({ headers: headersOf(paymaster), query: { from } });
    },
    placeholderData: keepPreviousData,
  });
}

export function statementQuery(paymaster: PaymasterItem, month: string) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'gas-tank', 'statement', month),
    queryFn: () => routes.gasTank.readStatement({ headers: headersOf(paymaster), query: { month } }),
  });
}

export function decisionQuery(paymaster: PaymasterItem, decisionId: string) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'decision', decisionId),
    queryFn: () => routes.decision.read({ headers: headersOf(paymaster), params: { decisionId } }),
  });
}

export function operationQuery(paymaster: PaymasterItem, userOperationHash: string) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'operation', userOperationHash),
    queryFn: () => routes.userOperation.read({ headers: headersOf(paymaster), params: { userOperationHash } }),
  });
}

export function usageQuery(paymaster: PaymasterItem, query: ReadUsageQuery) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'usage', query),
    queryFn: () => routes.usage.read({ headers: headersOf(paymaster), query }),
  });
}

export function policyQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'policy'),
    queryFn: () => routes.policy.read({ headers: headersOf(paymaster) }),
  });
}

/** How full the limits of the default policy are, or those of a named one. */
export function policyUseQuery(paymaster: PaymasterItem, policyId: string | undefined) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'policy', 'use', policyId),
    queryFn: () => routes.policy.readUse({ headers: headersOf(paymaster), query: { policyId } }),
  });
}

/** The named policies, which requests can choose. */
export function namedPoliciesQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'named-policies'),
    queryFn: () => routes.namedPolicy.list({ headers: headersOf(paymaster) }),
  });
}

/** One page contains all that a paymaster can have. */
export function webhooksQuery(paymaster: PaymasterItem) {
  const { paymasterId } = paymaster;
  return queryOptions({
    queryKey: keyOf(paymaster, 'webhooks'),
    queryFn: () => routes.webhook.listAll({ headers: {}, query: { paymasterId, limit: String(maxWebhooks) } }),
  });
}

/** A webhook's newest answers. */
export function webhookAnswersQuery(paymaster: PaymasterItem, webhookId: string) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'webhook-answers', webhookId),
    queryFn: () =>
      routes.webhook.listAnswers({ headers: headersOf(paymaster), params: { webhookId }, query: { limit: '100' } }),
  });
}

/** The URLs that are called after the fact. */
export function notificationsQuery(paymaster: PaymasterItem) {
  return queryOptions({
    queryKey: keyOf(paymaster, 'notifications'),
    queryFn: () => routes.notification.list({ headers: headersOf(paymaster) }),
  });
}

/** Deliveries to one of them, or to all, newest first. */
export function deliveriesQuery(paymaster: PaymasterItem, notificationId: string | undefined) {
  return infiniteQueryOptions({
    queryKey: keyOf(paymaster, 'deliveries', notificationId),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      routes.notification.listDeliveries({
        headers: headersOf(paymaster),
        query: { notificationId, cursor, limit: '20' },
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}
