/** Holds for every feature that readers may see. */
export const IS_LIVE = 'features.deleted_at IS NULL';

/** Holds for every feature that has not ended. */
export const IS_NOT_ENDED = '(features.valid_until IS NULL OR features.valid_until > now())';

/** Holds for every feature whose time to live is over. */
export const IS_EXPIRED = '(features.expires_at IS NOT NULL AND features.expires_at <= now())';

/** Holds for every feature that has neither ended nor expired. */
export const IS_GOING_ON = `(${IS_NOT_ENDED} AND NOT ${IS_EXPIRED})`;
