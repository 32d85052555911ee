import { isPublicAddress } from './address-rules.js';
import { AllowList, type Target } from './allow-list.js';

/** Ports of a public address that need nobody's leave: HTTP, and what it is commonly moved to. */
const OPEN_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

/**
 * Where one tenant's requests may connect to. Two parties have a say: the operator, whose network it is, and
 * the tenant. An address that is not public is reached when the operator allows it for everybody, or when the
 * tenant allows it for itself within what the operator lets tenants allow. So no tenant can open the
 * installation's own network, and no other tenant reaches what one has opened.
 */
export class OutboundPolicy {
  constructor(
    private readonly lists: {
      /** What the operator allows every tenant. */
      operator: AllowList;
      /** What this tenant allows itself. */
      tenant: AllowList;
      /** The most that a tenant may allow itself. */
      tenantMay: AllowList;
    },
  ) {}

  /** Public addresses on the usual ports, and what the operator allows: tenants have no say. */
  static allowing(operator: readonly string[] = []): OutboundPolicy {
    const none = new AllowList([]);
    return new OutboundPolicy({ operator: new AllowList(operator), tenant: none, tenantMay: none });
  }

  /** Null when a connection may be opened; else why not, in words that tell no address. */
  refusal(target: Target): string | null {
    const { operator, tenant, tenantMay } = this.lists;
    if (operator.covers(target)) return null;
    if (!isPublicAddress(target.address)) {
      if (tenant.covers(target) && tenantMay.covers(target)) return null;
      return 'has an address that is not on the public internet, and that is not allowed';
    }
    if (OPEN_PORTS.has(target.port) || tenant.opensPort(target)) return null;
    return `is to be reached on port ${target.port}, which is not allowed`;
  }
}
