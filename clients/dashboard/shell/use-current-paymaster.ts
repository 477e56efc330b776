import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useRef } from 'react';
import { paymastersQuery } from '../api/paymasters.ts';

/** The menu's paymaster: that of the page, else the previous one, else the first active one. */
export function useCurrentPaymaster(): PaymasterItem | undefined {
  const { paymasterId } = useParams({ strict: false });
  const { data = [] } = useQuery(paymastersQuery);
  const last = useRef(paymasterId);
  if (paymasterId !== undefined) last.current = paymasterId;
  return (
    data.find((each) => each.paymasterId === last.current) ??
    data.find(({ retiredAt }) => retiredAt === undefined) ??
    data[0]
  );
}
