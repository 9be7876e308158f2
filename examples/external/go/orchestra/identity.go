// The certificate that the plugin makes for itself, with the key of the CA that it finds.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

func signOwn(folder, name string) (tls.Certificate, *x509.CertPool, error) {
	none := tls.Certificate{}
	authority, err := readPEM(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return none, nil, err
	}
	ca, err := x509.ParseCertificate(authority)
	if err != nil {
		return none, nil, err
	}
	signing, err := readPEM(filepath.Join(folder, "ca.key"))
	if err != nil {
		return none, nil, err
	}
	caKey, err := x509.ParsePKCS8PrivateKey(signing)
	if err != nil {
		return none, nil, err
	}
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return none, nil, err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Minute),
		NotAfter:     time.Now().AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		DNSNames:     []string{name, "localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, public, caKey)
	if err != nil {
		return none, nil, err
	}
	pool := x509.NewCertPool()
	pool.AddCert(ca)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool, nil
}

func readPEM(file string) ([]byte, error) {
	bytes, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(bytes)
	if block == nil {
		return nil, errors.New(file + " is no PEM")
	}
	return block.Bytes, nil
}

// Plugins of this protocol take a certificate where one is given.
func serverConfig(own tls.Certificate, pool *x509.CertPool) *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		NextProtos:   []string{protocol},
		Certificates: []tls.Certificate{own},
		ClientAuth:   tls.VerifyClientCertIfGiven,
		ClientCAs:    pool,
	}
}

func clientConfig(own tls.Certificate, pool *x509.CertPool) *tls.Config {
	return &tls.Config{
		MinVersion:   tls.VersionTLS13,
		NextProtos:   []string{protocol},
		Certificates: []tls.Certificate{own},
		RootCAs:      pool,
	}
}
