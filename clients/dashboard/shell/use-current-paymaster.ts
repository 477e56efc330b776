import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { PaymasterItem } from '@tollfree/contract/paymaster';
import { useRef } from 'react';
import { paymastersQuery } from '../api/paymasters.ts';

/** The paymaster that the menu is about: that of the page, or else the one before, or else the first that still works. */
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
