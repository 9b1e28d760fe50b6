import { parseUrl, trimmed } from '../../shared/values';

/** Longer addresses take long to parse, and are compared as they are. */
const MAX_LENGTH = 2000;

/** What a parser rejects takes it long, so a text without a scheme is not parsed. */
const HAS_SCHEME = /^[a-z][a-z\d+.-]*:/i;

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Returns a text in which the entities that PHP writes for some characters, also twice, are these characters. */
export function withoutEntities(text: string): string {
	const toCharacter = (_: string, name: string) => CHARACTERS[name.toLowerCase()] ?? "'";
	return text.replace(/&(?:amp;)*(amp|lt|gt|quot|apos|#0?39|#x27);/gi, toCharacter);
}

/** Returns an address as services accept it that check it with PHP. One without spaces and other letters than those of ASCII is unchanged. */
export function toAscii(address: string): string {
	return /[^!-~]/.test(address) ? (parseUrl(address)?.href ?? address) : address;
}

/**
 * Returns the same text for equivalent addresses (RFC 3986, section 6.2.2): the case of scheme and host, a default port,
 * an empty path, the percent-encoding of letters, digits, and characters that only some encode, as those of
 * "Song_(album)", and entities of HTML make no difference.
 */
export function normalizeAddress(address: string): string {
	if (address.length > MAX_LENGTH) return address;
	const text = withoutEntities(trimmed(address));
	const href = parse(text)?.href ?? text;
	return href.replace(/%[\da-f]{2}/gi, (encoded) => {
		const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
		return /[\w.~!'()*-]/.test(character) ? character : encoded.toUpperCase();
	});
}

/**
 * Parameters that say where a visitor comes from or who shared a link, and never what it shows, by the hosts on which
 * they mean that; on all hosts if there are none. "*" stands for the rest of a name.
 *
 * A name is added if several lists agree on it, or its vendor documents it: a wrong one makes two links one. The lists are
 * those of ClearURLs, AdGuard, uBlock Origin, and Brave, last read in November 2026.
 */
export const TRACKING: ReadonlyArray<readonly [hosts: string, parameters: string]> = [
	// Analytics
	['', 'utm_* mtm_* pk_campaign pk_cid pk_medium pk_source _ga _gl _openstat s_cid'],
	// Advertising
	[
		'',
		'gclid gclsrc gbraid wbraid gad_source gad_campaignid dclid srsltid fbclid fb_action_ids fb_action_types fb_ref',
	],
	['', 'fb_source msclkid twclid ttclid li_fat_id rdt_cid epik sccid yclid ysclid irclickid rb_clickid wickedid'],
	['', 'hsa_acc hsa_ad hsa_cam hsa_grp hsa_kw hsa_la hsa_mt hsa_net hsa_ol hsa_src hsa_tgt hsa_ver'],
	['', '_branch_match_id _branch_referrer'],
	// Newsletters
	['', 'mc_cid mc_eid mkt_tok _hsenc _hsmi __hsfp __hssc __hstc hsCtaTracking ml_subscriber ml_subscriber_hash _kx'],
	[
		'',
		'_bhlid bsft_clkid bsft_uid ck_subscriber_id et_rid oly_anon_id oly_enc_id ss_email_id vero_conv vero_id vgo_ee',
	],
	// Social apps
	['bilibili.com', 'spm_id_from vd_source share_source share_medium share_plat share_session_id share_tag'],
	['facebook.com', 'mibextid rdid share_url sfnsn wtsid eav paipv _rdr __tn__ __cft__* __xts__*'],
	['instagram.com threads.com threads.net', 'igsh igshid ig_rid'],
	['linkedin.com', 'trk trackingId refId lipi licu rcm'],
	['medium.com', 'source'],
	['reddit.com', 'share_id correlation_id ref_campaign ref_source rdt'],
	['snapchat.com', 'sc_referrer sc_ua'],
	['soundcloud.com spotify.com', 'si'],
	['spotify.com', 'nd dlsi'],
	['threads.com threads.net', 'xmt slof'],
	['tiktok.com', '_d _r _t is_from_webapp sender_device web_id share_app_name share_iid u_code preview_pb'],
	['twitch.tv', 'tt_content tt_medium'],
	['twitter.com x.com', 's t cxt ref_src ref_url refsrc'],
	['youtu.be youtube.com', 'si is pp feature ab_channel source_ve_path embeds_referring_euri embeds_referring_origin'],
];

const tracking = TRACKING.map(([hosts, parameters]) => ({
	hosts: hosts.split(' ').map((host) => host && `.${host}`),
	pattern: new RegExp(`^(?:${parameters.replaceAll(' ', '|').replaceAll('*', '[^=]*')})(?:=|$)`, 'i'),
}));

/**
 * Returns the same text for addresses that differ only by http and https, a slash at the end of the path, the fragment, or
 * {@link TRACKING} parameters.
 *
 * @param normalized by {@link normalizeAddress}
 */
export function normalizeLoosely(normalized: string): string {
	const url = parse(normalized);
	if (!url) return normalized;
	const here = tracking.filter(({ hosts }) => hosts.some((host) => `.${url.hostname}`.endsWith(host)));
	const parameters = url.search.slice(1).split('&');
	url.search = parameters.filter((each) => !here.some(({ pattern }) => pattern.test(each))).join('&');
	url.pathname = url.pathname.replace(/\/$/, '');
	url.hash = '';
	return url.href.replace(/^http:/, 'https:');
}

function parse(address: string): URL | undefined {
	return address.length <= MAX_LENGTH && HAS_SCHEME.test(address) ? parseUrl(address) : undefined;
}
