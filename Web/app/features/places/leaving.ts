/** Places whose deletion can still be undone. */
export const leaving = new Set<string>();
