import type { IDataObject } from 'n8n-workflow';

import { secretsOf } from '../../../nodes/ProfilePage/n8n/apps/app';
import { bindTokens } from '../../../nodes/ProfilePage/n8n/apps/binding';
import { grantToken } from '../../../nodes/ProfilePage/n8n/apps/privateApp';
import { signRequest } from '../../../nodes/ProfilePage/n8n/apps/signing';
import { type Rejections, tokenRejection, readTokens } from '../../../nodes/ProfilePage/service/tokenEndpoint';
import { unexpectedBody } from '../../../nodes/ProfilePage/service/response';
import { readChallenge, statusFailure } from '../../../nodes/ProfilePage/service/status';
import { quoteSafely, Secrets } from '../../../nodes/ProfilePage/service/quotes';
import { processorTime } from '../../support/processorTime';

const MEGABYTE = 1_000_000;
/** For which n8n may stand still. */
const MAX_MILLISECONDS = 200;

const app = { baseUrl: 'https://example.com', clientId: 'id', clientSecret: 'secret' };
const rejections = {} as Rejections;
const tokens = (text: string): IDataObject => ({
	access_token: text,
	token_type: text,
	refresh_token: text,
	scope: text,
	expires_in: text,
});

/** Each place that reads a text of the service or of a request of the HTTP Request node; it may also refuse the text. */
const READERS: ReadonlyArray<[name: string, read: (text: string) => unknown]> = [
	['type of a token', (text) => readTokens(tokens(text))],
	['token response', (text) => bindTokens({ ...app, oauthTokenData: { ...tokens(text), token_type: 'Bearer' } })],
	['stored binding', (text) => bindTokens({ ...app, oauthTokenData: { profile_page_binding: text } })],
	['stored token', (text) => signRequest({ ...app, accessToken: text }, { url: 'https://example.com/' })],
	['address', (text) => signRequest(app, { url: `https://${text}` })],
	['address of a base', (text) => signRequest(app, { url: '/', baseURL: `https://${text}` })],
	['Host', (text) => signRequest(app, { url: 'https://example.com/', headers: { Host: text } })],
	[
		'granted token',
		async (text) => {
			const httpRequest = async () => await Promise.resolve({ statusCode: 200, headers: {}, body: tokens(text) });
			await grantToken({ helpers: { httpRequest } }, app);
		},
	],
	[
		'rejection',
		(text) => {
			const response = { statusCode: 400, headers: {}, body: { error: text, error_description: text } };
			return tokenRejection(response, { ...rejections, other: ['rejected'] }, new Secrets(secretsOf(app)));
		},
	],
	['explanation', (text) => quoteSafely({ errors: [text, { message: text }] }, new Secrets([text, 'secret']))],
	['explanation without JSON', (text) => quoteSafely(text, new Secrets(['secret']))],
	['body', unexpectedBody],
	['challenge', (text) => readChallenge({ 'www-authenticate': `Bearer ${text}` })],
	['Retry-After', (text) => statusFailure(429, { 'retry-after': text }, {})],
];

const CHARACTERS = [
	' ',
	'\t',
	'0',
	'[',
	'"',
	'\\',
	'%',
	'%25',
	'&#0',
	'<',
	'=',
	'a',
	'/',
	'error="\\"',
	'\u0315\u0300',
];

test.each(READERS)(
	'A megabyte of one character as %s does not stop n8n',
	async (_name, read) => {
		for (const character of CHARACTERS) {
			const text = `${character.repeat(MEGABYTE / character.length)}x`;
			const time = await processorTime(() => read(text), MAX_MILLISECONDS);
			expect([character, time < MAX_MILLISECONDS]).toEqual([character, true]);
		}
	},
	60_000,
);
