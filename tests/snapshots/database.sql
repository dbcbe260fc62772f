CREATE TABLE accounts (
	guest VARCHAR(32) NOT NULL,
	name VARCHAR(40) NOT NULL,
	key VARCHAR(200) NOT NULL,
	small_look VARCHAR(200),
	look VARCHAR(200),
	password VARCHAR(200) NOT NULL,
	recovery VARCHAR(200) DEFAULT '' NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (guest),
	UNIQUE (key)
)
CREATE TABLE acts (
	number INTEGER NOT NULL,
	at FLOAT NOT NULL,
	operator VARCHAR(80) NOT NULL,
	act VARCHAR(40) NOT NULL,
	subject VARCHAR(80) NOT NULL,
	details JSON NOT NULL,
	PRIMARY KEY (number)
)
CREATE TABLE avoided (
	guest VARCHAR(32) NOT NULL,
	other VARCHAR(32) NOT NULL,
	how VARCHAR(5) NOT NULL,
	name VARCHAR(40) NOT NULL,
	PRIMARY KEY (guest, other, how)
)
CREATE TABLE bans (
	guest VARCHAR(32) NOT NULL,
	at FLOAT NOT NULL,
	until FLOAT,
	reason VARCHAR(200) NOT NULL,
	PRIMARY KEY (guest)
)
CREATE TABLE bot_tries (
	day VARCHAR(10) NOT NULL,
	game VARCHAR(40) NOT NULL,
	map VARCHAR(40) NOT NULL,
	bot VARCHAR(60) NOT NULL,
	total INTEGER NOT NULL,
	PRIMARY KEY (day, game, map, bot)
)
CREATE TABLE calendars (
	guest VARCHAR(32) NOT NULL,
	hash VARCHAR(64) NOT NULL,
	lang VARCHAR(20) NOT NULL,
	PRIMARY KEY (guest),
	UNIQUE (hash)
)
CREATE TABLE challenges (
	hash VARCHAR(64) NOT NULL,
	use VARCHAR(10) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	until FLOAT NOT NULL,
	PRIMARY KEY (hash)
)
CREATE TABLE duties (
	name VARCHAR(20) NOT NULL,
	until FLOAT NOT NULL,
	done FLOAT NOT NULL,
	PRIMARY KEY (name)
)
CREATE TABLE guests (
	id VARCHAR(32) NOT NULL,
	name VARCHAR(40) NOT NULL,
	small_look VARCHAR(200),
	look VARCHAR(200),
	face VARCHAR(5) DEFAULT '' NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (id)
)
CREATE TABLE handovers (
	guest VARCHAR(32) NOT NULL,
	account VARCHAR(32) NOT NULL,
	PRIMARY KEY (guest)
)
CREATE TABLE heartbeat (
	at FLOAT NOT NULL,
	PRIMARY KEY (at)
)
CREATE TABLE invitations (
	hash VARCHAR(64) NOT NULL,
	note VARCHAR(80) NOT NULL,
	made FLOAT NOT NULL,
	until FLOAT NOT NULL,
	uses_left INTEGER NOT NULL,
	PRIMARY KEY (hash)
)
CREATE TABLE notices (
	number INTEGER NOT NULL,
	text VARCHAR(300) NOT NULL,
	until FLOAT NOT NULL,
	PRIMARY KEY (number)
)
CREATE TABLE passkeys (
	id VARCHAR(400) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	public_key BYTEA NOT NULL,
	count INTEGER NOT NULL,
	name VARCHAR(40) NOT NULL,
	created FLOAT NOT NULL,
	used FLOAT,
	PRIMARY KEY (id)
)
CREATE TABLE puzzles (
	id VARCHAR(16) NOT NULL,
	game VARCHAR(40) NOT NULL,
	map VARCHAR(40) NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	made FLOAT NOT NULL,
	content BYTEA NOT NULL,
	PRIMARY KEY (id)
)
CREATE TABLE ratings (
	who VARCHAR(50) NOT NULL,
	game VARCHAR(40) NOT NULL,
	mu FLOAT NOT NULL,
	sigma FLOAT NOT NULL,
	games INTEGER NOT NULL,
	PRIMARY KEY (who, game)
)
CREATE TABLE reports (
	id SERIAL NOT NULL,
	guest VARCHAR(32) NOT NULL,
	other VARCHAR(32) NOT NULL,
	name VARCHAR(40) NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	seat INTEGER NOT NULL,
	text VARCHAR(200) NOT NULL,
	said FLOAT NOT NULL,
	at FLOAT NOT NULL,
	handled FLOAT,
	PRIMARY KEY (id)
)
CREATE TABLE reviews (
	key VARCHAR(80) NOT NULL,
	engine VARCHAR(40) NOT NULL,
	owner VARCHAR(50) NOT NULL,
	network VARCHAR(16) DEFAULT '' NOT NULL,
	asked FLOAT NOT NULL,
	record BYTEA NOT NULL,
	holder VARCHAR(32) NOT NULL,
	lease FLOAT NOT NULL,
	done INTEGER NOT NULL,
	total INTEGER NOT NULL,
	failed INTEGER NOT NULL,
	finished BOOLEAN NOT NULL,
	content BYTEA NOT NULL,
	searched BOOLEAN DEFAULT false NOT NULL,
	PRIMARY KEY (key, engine)
)
CREATE TABLE secrets (
	name VARCHAR(20) NOT NULL,
	value BYTEA NOT NULL,
	PRIMARY KEY (name)
)
CREATE TABLE seeks (
	guest VARCHAR(32) NOT NULL,
	name VARCHAR(40) NOT NULL,
	face VARCHAR(5) NOT NULL,
	network VARCHAR(16) NOT NULL,
	game VARCHAR(40) NOT NULL,
	map VARCHAR(40) NOT NULL,
	clock JSON NOT NULL,
	points INTEGER NOT NULL,
	asked FLOAT NOT NULL,
	lease FLOAT NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	PRIMARY KEY (guest)
)
CREATE TABLE sharing (
	guest VARCHAR(32) NOT NULL,
	choice VARCHAR(10) NOT NULL,
	PRIMARY KEY (guest)
)
CREATE TABLE subscriptions (
	hash VARCHAR(64) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	session VARCHAR(64) NOT NULL,
	endpoint VARCHAR(500) NOT NULL,
	p256dh VARCHAR(100) NOT NULL,
	auth VARCHAR(30) NOT NULL,
	lang VARCHAR(20) NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (hash)
)
CREATE TABLE tables (
	id VARCHAR(16) NOT NULL,
	created FLOAT NOT NULL,
	host VARCHAR(32) NOT NULL,
	game VARCHAR(40) NOT NULL,
	map VARCHAR(40) NOT NULL,
	map_hash VARCHAR(80) NOT NULL,
	rules INTEGER NOT NULL,
	options JSON NOT NULL,
	chairs JSON NOT NULL,
	seed VARCHAR(40) NOT NULL,
	salt VARCHAR(64) NOT NULL,
	commitment VARCHAR(64) NOT NULL,
	clock JSON NOT NULL,
	training BOOLEAN NOT NULL,
	public BOOLEAN NOT NULL,
	chat BOOLEAN DEFAULT false NOT NULL,
	day VARCHAR(10) DEFAULT '' NOT NULL,
	chosen JSON DEFAULT '{}' NOT NULL,
	confirm BOOLEAN DEFAULT false NOT NULL,
	countdown FLOAT DEFAULT '0' NOT NULL,
	seed_chosen BOOLEAN DEFAULT false NOT NULL,
	opening JSON,
	number INTEGER NOT NULL,
	changed FLOAT NOT NULL,
	started FLOAT,
	finished BOOLEAN NOT NULL,
	ended BOOLEAN DEFAULT false NOT NULL,
	free BOOLEAN NOT NULL,
	wake FLOAT,
	progress JSON,
	PRIMARY KEY (id)
)
CREATE TABLE tokens (
	hash VARCHAR(64) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	name VARCHAR(40) NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (hash)
)
CREATE TABLE unwanted_notices (
	guest VARCHAR(32) NOT NULL,
	kind VARCHAR(10) NOT NULL,
	PRIMARY KEY (guest, kind)
)
CREATE TABLE webhooks (
	guest VARCHAR(32) NOT NULL,
	url VARCHAR(500) NOT NULL,
	secret VARCHAR(64) NOT NULL,
	lang VARCHAR(20) NOT NULL,
	failures INTEGER NOT NULL,
	PRIMARY KEY (guest)
)
CREATE TABLE answers (
	guest VARCHAR(32) NOT NULL,
	puzzle VARCHAR(16) NOT NULL,
	at FLOAT NOT NULL,
	solved BOOLEAN NOT NULL,
	PRIMARY KEY (guest, puzzle),
	FOREIGN KEY(puzzle) REFERENCES puzzles (id)
)
CREATE TABLE duels (
	table_id VARCHAR(16) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	other VARCHAR(32) NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY (table_id),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE TABLE events (
	table_id VARCHAR(16) NOT NULL,
	number INTEGER NOT NULL,
	at FLOAT NOT NULL,
	kind VARCHAR(10) NOT NULL,
	seat INTEGER NOT NULL,
	guest VARCHAR(32),
	client_id VARCHAR(64),
	text VARCHAR(200) NOT NULL,
	drops JSON NOT NULL,
	pick VARCHAR(80) DEFAULT '' NOT NULL,
	face VARCHAR(5) DEFAULT '' NOT NULL,
	PRIMARY KEY (table_id, number),
	UNIQUE (table_id, client_id),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE TABLE feats (
	guest VARCHAR(32) NOT NULL,
	feat VARCHAR(40) NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY (guest, feat),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE TABLE remarks (
	id SERIAL NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	seat INTEGER NOT NULL,
	guest VARCHAR(32) NOT NULL,
	name VARCHAR(40) NOT NULL,
	text VARCHAR(200) NOT NULL,
	at FLOAT NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE TABLE results (
	table_id VARCHAR(16) NOT NULL,
	seat INTEGER NOT NULL,
	guest VARCHAR(32),
	bot VARCHAR(40),
	game VARCHAR(40) NOT NULL,
	map VARCHAR(40) NOT NULL,
	modules VARCHAR(200) NOT NULL,
	seats INTEGER NOT NULL,
	total INTEGER NOT NULL,
	place INTEGER NOT NULL,
	at FLOAT NOT NULL,
	day VARCHAR(10) NOT NULL,
	mu FLOAT,
	sigma FLOAT,
	mu_after FLOAT,
	sigma_after FLOAT,
	version VARCHAR(40),
	reviewed VARCHAR(40),
	measure VARCHAR(10),
	worth INTEGER,
	luck INTEGER,
	loss INTEGER,
	kinds JSON,
	PRIMARY KEY (table_id, seat),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE TABLE review_results (
	key VARCHAR(80) NOT NULL,
	engine VARCHAR(40) NOT NULL,
	task INTEGER NOT NULL,
	result BYTEA NOT NULL,
	PRIMARY KEY (key, engine, task),
	FOREIGN KEY(key, engine) REFERENCES reviews (key, engine) ON DELETE CASCADE
)
CREATE TABLE seats (
	table_id VARCHAR(16) NOT NULL,
	seat INTEGER NOT NULL,
	name VARCHAR(40) NOT NULL,
	guest VARCHAR(32),
	bot VARCHAR(40),
	former VARCHAR(32),
	face VARCHAR(5) DEFAULT '' NOT NULL,
	hidden BOOLEAN DEFAULT false NOT NULL,
	noticed FLOAT,
	PRIMARY KEY (table_id, seat),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE TABLE sessions (
	hash VARCHAR(64) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	created FLOAT NOT NULL,
	PRIMARY KEY (hash),
	FOREIGN KEY(guest) REFERENCES accounts (guest)
)
CREATE TABLE tries (
	day VARCHAR(10) NOT NULL,
	game VARCHAR(40) NOT NULL,
	map VARCHAR(40) NOT NULL,
	guest VARCHAR(32) NOT NULL,
	table_id VARCHAR(16) NOT NULL,
	PRIMARY KEY (day, game, map, guest),
	UNIQUE (table_id),
	FOREIGN KEY(table_id) REFERENCES tables (id)
)
CREATE INDEX ix_answers_puzzle ON answers (puzzle)
CREATE INDEX ix_avoided_other ON avoided (other)
CREATE INDEX ix_challenges_guest ON challenges (guest)
CREATE INDEX ix_duels_guest ON duels (guest)
CREATE INDEX ix_duels_other ON duels (other)
CREATE INDEX ix_events_guest ON events (guest)
CREATE INDEX ix_feats_table_id ON feats (table_id)
CREATE INDEX ix_guests_look ON guests (look)
CREATE INDEX ix_guests_small_look ON guests (small_look)
CREATE INDEX ix_passkeys_guest ON passkeys (guest)
CREATE INDEX ix_puzzles_table_id ON puzzles (table_id)
CREATE INDEX ix_remarks_guest ON remarks (guest)
CREATE INDEX ix_remarks_table_id ON remarks (table_id)
CREATE INDEX ix_reports_guest ON reports (guest)
CREATE INDEX ix_reports_other ON reports (other)
CREATE INDEX ix_results_guest ON results (guest)
CREATE INDEX ix_seats_guest ON seats (guest)
CREATE INDEX ix_sessions_guest ON sessions (guest)
CREATE INDEX ix_subscriptions_guest ON subscriptions (guest)
CREATE INDEX ix_subscriptions_session ON subscriptions (session)
CREATE INDEX ix_tables_free ON tables (free)
CREATE INDEX ix_tables_host ON tables (host)
CREATE INDEX ix_tables_wake ON tables (wake)
CREATE INDEX ix_tokens_guest ON tokens (guest)
CREATE INDEX results_of_a_day ON results (day, game, map)
CREATE INDEX reviews_to_make ON reviews (engine, finished, asked)
CREATE INDEX reviews_to_search ON reviews (engine, searched, finished)
CREATE UNIQUE INDEX ix_accounts_look ON accounts (look)
CREATE UNIQUE INDEX ix_accounts_small_look ON accounts (small_look)
