# Verifies a message from standard input with Debian's Mail::DKIM, which shares nothing with Postern.
#
#     perl verify_dkim.pl NAME=VALUE… < message
#
# The arguments are the TXT records that there are; nothing is asked of a name server. Prints a line a signature: SELECTOR ALGORITHM RESULT.
use strict;
use warnings;
use Mail::DKIM::Verifier;
use Net::DNS;

package StubResolver;

sub new {
    my ($class, %records) = @_;
    return bless { records => \%records }, $class;
}

sub send {
    my ($self, $name) = @_;
    my $packet = Net::DNS::Packet->new($name, 'TXT', 'IN');
    my $value = $self->{records}{lc $name};
    # In strings of 255 octets, as name servers send them.
    $packet->push(answer => Net::DNS::RR->new(owner => $name, type => 'TXT', txtdata => [ $value =~ /(.{1,255})/gs ])) if defined $value;
    return $packet;
}

sub query { return shift->send(@_) }

sub bgsend { return shift->send(@_) }

sub bgread { return $_[1] }

sub bgbusy { return 0 }

sub bgisready { return 1 }

sub errorstring { return 'NXDOMAIN' }

sub udp_timeout { return 1 }

sub tcp_timeout { return 1 }

package main;

Mail::DKIM::DNS::resolver(StubResolver->new(map { split /=/, $_, 2 } @ARGV));
my $verifier = Mail::DKIM::Verifier->new();
binmode STDIN;
{
    local $/;
    $verifier->PRINT(scalar <STDIN>);
}
$verifier->CLOSE;
printf "%s %s %s\n", $_->selector, $_->algorithm, $_->result for $verifier->signatures;
