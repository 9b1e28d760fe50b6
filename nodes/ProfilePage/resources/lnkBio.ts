import { NOT_FOUND } from '../service/response';

/** What HTTP 404 means for paths that are not in the contract, but known from Lnk.Bio (docs/api.md, section 4). */
export const NOT_AT_LNK_BIO = {
	404: `${NOT_FOUND} If it is right, your service has this operation at another address: the one used here is that of Lnk.Bio.`,
};
