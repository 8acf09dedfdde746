/*
 * Where names lie in the tree. All names here are canonical (see names.ts); nothing throws.
 */

/** Whether `name` is `apex` or lies below it; labels are compared whole. */
export function isWithin(name: string, apex: string): boolean {
  return name === apex || name.endsWith(`.${apex}`)
}

/** `name` seen from `apex`: "@" for the apex, "www" below it, the whole name when it lies elsewhere. */
export function relativeName(name: string, apex: string): string {
  if (name === apex) return '@'
  return isWithin(name, apex) ? name.slice(0, -apex.length - 1) : name
}

/** The names strictly between `name` and `apex`, nearest to `name` first; none when it lies elsewhere. */
export function ancestorsWithin(name: string, apex: string): string[] {
  const ancestors: string[] = []
  if (!isWithin(name, apex)) return ancestors
  let parent = parentOf(name)
  while (parent.length > apex.length) {
    ancestors.push(parent)
    parent = parentOf(parent)
  }
  return ancestors
}

/** Whether `name` lies in the tree of reverse names, IPv4 (RFC 1035, 3.5) or IPv6 (RFC 3596, 2.5). */
export function isReverseZone(name: string): boolean {
  return isWithin(name, 'in-addr.arpa') || isWithin(name, 'ip6.arpa')
}

/**
 * The labels of `name` below `apex`, last label first, joined by one space; '' for the apex itself. This is
 * the `ordername` by which PowerDNS sorts a zone for NSEC (RFC 4034, 6.1).
 */
export function reversedLabels(name: string, apex: string): string {
  return name === apex ? '' : relativeName(name, apex).split('.').reverse().join(' ')
}

function parentOf(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}
